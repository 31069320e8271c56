import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Database, SharedStatements, Tx } from '#platform/postgres/database'
import { table } from '#platform/postgres/table'
import type { DomainFile, Registration } from '../model/domain-file.ts'

const FILES = table<DomainFile>('apple_pay_domain_files', {
  accountId: 'text',
  content: 'text',
  environment: 'text',
  domain: 'text',
  state: 'text',
  message: 'text',
  setAt: 'timestamptz',
})

export async function domainFilesOf(db: Database, businessId: string): Promise<DomainFile[]> {
  const rows = await db.read(
    businessId,
    sql`select ${FILES.columns} from apple_pay_domain_files where business_id = ${businessId}`,
  )
  return rows.map(FILES.read)
}

export async function findDomainFile(tx: Tx, accountId: string): Promise<DomainFile | undefined> {
  const [row] = await tx.query(sql`
    select ${FILES.columns} from apple_pay_domain_files
     where business_id = ${tx.businessId} and account_id = ${accountId}`)
  return row && FILES.read(row)
}

export async function putDomainFile(tx: Tx, file: DomainFile): Promise<void> {
  await tx.execute(sql`
    insert into apple_pay_domain_files ${FILES.values(tx.businessId, [file])}
    on conflict (business_id, account_id) do update set ${FILES.without('accountId').set(file)}`)
}

/** Does nothing if another file was set meanwhile. */
export async function recordRegistration(
  tx: Tx,
  { accountId, content }: DomainFile,
  { state, message }: Registration,
): Promise<void> {
  await tx.execute(sql`
    update apple_pay_domain_files set state = ${state}, message = ${message}
     where business_id = ${tx.businessId} and account_id = ${accountId} and content = ${content}`)
}

export async function deleteDomainFile(tx: Tx, accountId: string): Promise<void> {
  await tx.execute(sql`
    delete from apple_pay_domain_files where business_id = ${tx.businessId} and account_id = ${accountId}`)
}

/**
 * The content to serve: what an acquirer is asked to look at since `askedSince`, else what one has accepted, of a live account
 * first, else any; the newest of them.
 */
export async function servedContent(
  shared: SharedStatements,
  askedSince: Instant,
): Promise<string | undefined> {
  const [file] = await shared.query<{ content: string }>(sql`
    select content from apple_pay_domain_files
     order by (state = 'pending' and set_at > ${toRfc3339(askedSince)}::timestamptz) desc, (state = 'registered') desc,
              (environment = 'live') desc, set_at desc
     limit 1`)
  return file?.content
}
