import sql from 'sql-template-tag'
import { realClock, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { Branding, ImageType, Logo } from '../model/branding.ts'

type BrandingRow = Omit<Branding, 'logo' | 'walletNames'> & {
  readonly walletA: string | null
  readonly walletB: string | null
  readonly logoType: ImageType | null
  readonly logoHash: string | null
}

export async function findBranding(tx: Tx): Promise<Branding | undefined> {
  const [row] = await tx.query<BrandingRow>(sql`
    select display_name as "displayName", color, email, phone, website, terms_url as "termsUrl",
           privacy_url as "privacyUrl", wallet_a_name as "walletA", wallet_b_name as "walletB", logo_type as "logoType", logo_hash as "logoHash"
      from business_branding where business_id = ${tx.businessId}`)
  if (row === undefined) return undefined
  const { logoType: type, logoHash: hash, walletA, walletB, ...branding } = row
  const walletNames = {
    ...(walletA !== null && { wallet_a_pay: walletA }),
    ...(walletB !== null && { wallet_b: walletB }),
  }
  return { ...branding, walletNames, logo: type === null || hash === null ? null : { type, hash } }
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
  const { displayName, color, email, phone, website, termsUrl, privacyUrl, walletNames } = branding
  await tx.execute(sql`
    update business_branding
       set display_name = ${displayName}, color = ${color}, email = ${email}, phone = ${phone}, website = ${website},
           terms_url = ${termsUrl}, privacy_url = ${privacyUrl}, wallet_a_name = ${walletNames.wallet_a_pay ?? null},
           wallet_b_name = ${walletNames.wallet_b ?? null},
           updated_at = ${toRfc3339(realClock.now())}
     where business_id = ${tx.businessId}`)
  if (logo === undefined) return
  await tx.execute(sql`
    update business_branding
       set logo = ${logo?.content ?? null}, logo_type = ${logo?.type ?? null}, logo_hash = ${logo?.hash ?? null}
     where business_id = ${tx.businessId}`)
}
