import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { claimIdempotencyKey, keepReply, once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { isLocalName, literalAddress } from '#platform/security/public-address'
import type { AcquirersContext } from '../context.ts'
import { type AccountView, type SealedAccount, viewOf } from '../model/account.ts'
import type { DomainFile, Registration } from '../model/domain-file.ts'
import type { AcquirerAdapter } from '../port/adapter.ts'
import {
  deleteDomainFile,
  findDomainFile,
  putDomainFile,
  recordRegistration,
} from '../storage/domain-file.repository.ts'
import { invalid } from './check-account.ts'
import { storableText } from './said.ts'

/** Apple's files are in hexadecimal or Base64, the latter with the lines around a PKCS #7 object. */
const CONTENT = /^[\w+/=. \r\n-]+$/

/** @returns null for none, undefined if it is not set */
export function readDomainFile(
  { name, registersDomains }: AcquirerAdapter,
  given: string | null | undefined,
): string | null | undefined {
  if (given === undefined) return undefined
  if (registersDomains !== true) throw invalid('apple_pay_domain_file', `is not a setting of ${name}`)
  const content = (given ?? '').trim()
  if (content === '') return null
  if (!CONTENT.test(content)) {
    throw invalid(
      'apple_pay_domain_file',
      'must be the content of the file apple-developer-merchantid-domain-association, which has letters, digits and + / = only',
    )
  }
  return content
}

/**
 * Stores an account with its domain file, and then asks the acquirer to register the domain: it reads the file from our pages.
 * @param store runs again if the transaction does
 */
export async function storeWithDomainFile(
  ctx: AcquirersContext,
  caller: Caller,
  content: string | null | undefined,
  store: (tx: Tx) => Promise<SealedAccount>,
): Promise<AccountView> {
  const { businessId } = caller
  if (content === undefined) {
    return once(ctx.db, caller, async (tx) => {
      const account = await store(tx)
      return viewOf(ctx, businessId, account, await findDomainFile(tx, account.id))
    })
  }
  const stored = await ctx.db.transact(
    businessId,
    async (tx) => {
      const idempotencyId = await claimIdempotencyKey(tx, caller)
      const account = await store(tx)
      const file = content === null ? undefined : newFile(ctx, caller, account.id, content)
      await (file === undefined ? deleteDomainFile(tx, account.id) : putDomainFile(tx, file))
      const view = viewOf(ctx, businessId, account, file)
      await keepReply(tx, idempotencyId, caller, view)
      return { idempotencyId, account, file, view }
    },
    { usesSharedTables: true },
  )
  const { idempotencyId, account, file, view } = stored
  if (file?.state !== 'pending' || file.domain === null) return view
  const registration = await register(ctx, caller, account, file.domain)
  return ctx.db.transact(
    businessId,
    async (tx) => {
      await recordRegistration(tx, file, registration)
      const registered = viewOf(ctx, businessId, account, { ...file, ...registration })
      await keepReply(tx, idempotencyId, caller, registered)
      return registered
    },
    { usesSharedTables: true },
  )
}

function newFile(
  { publicUrl }: AcquirersContext,
  { environment }: Caller,
  accountId: string,
  content: string,
): DomainFile {
  const { protocol, hostname, port } = new URL(publicUrl())
  const file = { accountId, content, environment, setAt: realClock.now() }
  const isPublicName =
    literalAddress(hostname) === undefined && !isLocalName(hostname) && hostname.includes('.')
  if (isPublicName && protocol === 'https:' && port === '') {
    return { ...file, domain: hostname, state: 'pending', message: null }
  }
  const message = `The payment pages are at ${protocol}//${hostname}${port && `:${port}`}. Apple Pay needs a public name with https at its usual port (PUBLIC_URL).`
  return { ...file, domain: null, state: 'no_domain', message }
}

async function register(
  { connected }: AcquirersContext,
  { businessId, environment }: Caller,
  account: SealedAccount,
  domain: string,
): Promise<Registration> {
  const reply = await connected(businessId, environment, account).registerDomain?.(domain)
  if (reply?.kind === 'ok') return { state: 'registered', message: null }
  if (reply?.kind === 'refused') return { state: 'refused', message: storableText(reply.message) }
  if (reply?.kind === 'unavailable') return { state: 'unreachable', message: storableText(reply.message) }
  return { state: 'refused', message: `${account.acquirer} cannot register domains for this account.` }
}
