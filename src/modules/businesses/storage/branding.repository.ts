import sql from 'sql-template-tag'
import { realClock, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { composed, table } from '#platform/postgres/table'
import type { Branding, ImageType, Logo, WalletNames } from '../model/branding.ts'

const BRANDING = table<Branding>('b', {
  displayName: 'text',
  color: 'text',
  email: 'text',
  phone: 'text',
  website: 'text',
  termsUrl: 'text',
  privacyUrl: 'text',
  walletNames: composed(
    ['wallet_a_name', 'wallet_b_name'],
    (walletA: string | null, walletB: string | null): WalletNames => ({
      ...(walletA !== null && { wallet_a_pay: walletA }),
      ...(walletB !== null && { wallet_b: walletB }),
    }),
    {
      wallet_a_name: ['text', ({ wallet_a_pay: name = null }) => name],
      wallet_b_name: ['text', ({ wallet_b: name = null }) => name],
    },
  ),
  logo: composed(
    ['logo_type', 'logo_hash'],
    (type: ImageType | null, hash: string | null) => (type === null || hash === null ? null : { type, hash }),
    {},
  ),
})
const EDITED = BRANDING.without('logo')

export async function findBranding(tx: Tx): Promise<Branding | undefined> {
  const [row] = await tx.query(sql`
    select ${BRANDING.columns} from business_branding b where business_id = ${tx.businessId}`)
  return row && BRANDING.read(row)
}

export async function findLogo(tx: Tx): Promise<Logo | undefined> {
  const [row] = await tx.query<Logo>(sql`
    select logo as content, logo_type as type, logo_hash as hash
      from business_branding where business_id = ${tx.businessId} and logo is not null`)
  return row
}

export async function lockBranding(tx: Tx): Promise<void> {
  await tx.execute(sql`
    insert into business_branding (business_id, updated_at)
    values (${tx.businessId}, ${toRfc3339(realClock.now())}) on conflict (business_id) do nothing`)
  await tx.query(sql`select from business_branding where business_id = ${tx.businessId} for no key update`)
}

export async function storeBranding(
  tx: Tx,
  branding: Omit<Branding, 'logo'>,
  logo: Logo | null | undefined,
): Promise<void> {
  await tx.execute(sql`
    update business_branding set ${EDITED.set(branding)}, updated_at = ${toRfc3339(realClock.now())}
     where business_id = ${tx.businessId}`)
  if (logo === undefined) return
  await tx.execute(sql`
    update business_branding
       set logo = ${logo?.content ?? null}, logo_type = ${logo?.type ?? null}, logo_hash = ${logo?.hash ?? null}
     where business_id = ${tx.businessId}`)
}
