import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '#kernel/operator-error'
import { type Businesses, type NewBusiness, prepareBusiness } from '#modules/businesses'
import { makeDataDirectory } from '#platform/data-directory'
import { removeAbandonedDrafts, replaceFile } from '#platform/durable-file'

export interface SandboxFile {
  readonly base_url: string
  readonly app_id: string
  readonly api_key: string
  readonly business_id: string
  readonly customer_code: string
  readonly webhook_secret: string
}

export class SandboxFileDamaged extends OperatorError {
  constructor(path: string) {
    super(`${path} is damaged. Restore it from a backup, or delete it to get a new sandbox business.`)
  }
}

export function sandboxOf(business: NewBusiness, baseUrl: string): SandboxFile {
  return {
    base_url: baseUrl,
    app_id: business.appId,
    api_key: business.apiKey,
    business_id: business.test.businessId,
    customer_code: business.code,
    webhook_secret: business.test.webhookSecret,
  }
}

/**
 * Creates the sandbox business and `DATA_DIR/sandbox.json` (mode 0600) unless they exist, and keeps `base_url` up to date. The
 * business goes to a draft file before it is stored, so that the next start can resume after a crash at any point.
 */
export async function ensureSandbox(dataDir: string, businesses: Businesses, baseUrl: string): Promise<void> {
  const path = fileIn(dataDir)
  const draft = `${path}.new`
  makeDataDirectory(dataDir)
  removeAbandonedDrafts(path)
  if (existsSync(path)) {
    // A start that was killed at its very end leaves a draft, which contains secrets.
    await rm(draft, { force: true })
    return updateBaseUrl(dataDir, baseUrl)
  }
  const business = existsSync(draft) ? await readDraft(draft) : undefined
  const planned = business ?? prepareBusiness({ name: 'Sandbox' })
  if (business === undefined) write(draft, { business: planned })
  if (!(await businesses.exists(planned.test.businessId))) await businesses.create(planned)
  write(path, sandboxOf(planned, baseUrl))
  await rm(draft)
}

/** Undefined for a truncated draft: its business was never stored. */
async function readDraft(path: string): Promise<NewBusiness | undefined> {
  try {
    const { business } = JSON.parse(await readFile(path, 'utf8')) as { business: NewBusiness }
    return business
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Throws `SandboxFileDamaged` instead of a JSON error, whose message would quote the file and thus a key. */
export async function readSandbox(dataDir: string): Promise<SandboxFile> {
  const path = fileIn(dataDir)
  const text = await readFile(path, 'utf8')
  try {
    const sandbox = JSON.parse(text) as SandboxFile | null
    if (typeof sandbox?.base_url === 'string') return sandbox
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new SandboxFileDamaged(path)
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'sandbox.json')
}

async function updateBaseUrl(dataDir: string, baseUrl: string): Promise<void> {
  const path = fileIn(dataDir)
  const sandbox = await readSandbox(dataDir)
  if (sandbox.base_url !== baseUrl) write(path, { ...sandbox, base_url: baseUrl })
}

function write(path: string, content: object): void {
  replaceFile(path, `${JSON.stringify(content, null, 2)}\n`)
}
