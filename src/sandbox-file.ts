import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '#kernel/operator-error'
import { type Businesses, type NewBusiness, prepareBusiness } from '#modules/businesses'
import { removeLostDrafts, replaceFile } from '#platform/durable-file'

/** What a program needs to call its sandbox (decisions, section 10). */
export interface SandboxFile {
  readonly base_url: string
  readonly app_id: string
  readonly api_key: string
  readonly business_id: string
  readonly customer_code: string
  readonly webhook_secret: string
}

export class CannotReadSandbox extends OperatorError {
  constructor(path: string) {
    super(`${path} is damaged: put it back from a backup, or remove it for a new sandbox business.`)
  }
}

/** The members of `sandbox.json` for a business that was just made: the only time its secrets are shown. */
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
 * Makes a sandbox business and `DATA_DIR/sandbox.json`, mode 0600, where there is none yet. The
 * business is written down in a draft before it is stored, so that a crash at any point leaves either
 * nothing or a draft from which the next start goes on. `base_url` follows the listening address.
 */
export async function ensureSandbox(dataDir: string, businesses: Businesses, baseUrl: string): Promise<void> {
  const path = fileIn(dataDir)
  const draft = `${path}.new`
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  removeLostDrafts(path)
  if (existsSync(path)) {
    // Of a start that was killed at its very end: it holds secrets.
    await rm(draft, { force: true })
    return followAddress(dataDir, baseUrl)
  }
  const business = existsSync(draft) ? await readDraft(draft) : undefined
  const planned = business ?? prepareBusiness({ name: 'Sandbox' })
  if (business === undefined) write(draft, { business: planned })
  if (!(await businesses.exists(planned.test.businessId))) await businesses.create(planned)
  write(path, sandboxOf(planned, baseUrl))
  await rm(draft)
}

/** A draft that was cut short was never stored either. */
async function readDraft(path: string): Promise<NewBusiness | undefined> {
  try {
    const { business } = JSON.parse(await readFile(path, 'utf8')) as { business: NewBusiness }
    return business
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** `DATA_DIR/sandbox.json`. Throws `CannotReadSandbox`: an error of JSON quotes the text, and with it a key. */
export async function readSandbox(dataDir: string): Promise<SandboxFile> {
  const path = fileIn(dataDir)
  const text = await readFile(path, 'utf8')
  try {
    const sandbox = JSON.parse(text) as SandboxFile | null
    if (typeof sandbox?.base_url === 'string') return sandbox
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new CannotReadSandbox(path)
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'sandbox.json')
}

async function followAddress(dataDir: string, baseUrl: string): Promise<void> {
  const path = fileIn(dataDir)
  const sandbox = await readSandbox(dataDir)
  if (sandbox.base_url !== baseUrl) write(path, { ...sandbox, base_url: baseUrl })
}

function write(path: string, content: object): void {
  replaceFile(path, `${JSON.stringify(content, null, 2)}\n`)
}
