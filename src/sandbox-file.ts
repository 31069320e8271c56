import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
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
  const path = join(dataDir, 'sandbox.json')
  const draft = `${path}.new`
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  removeLostDrafts(path)
  if (existsSync(path)) {
    // Of a start that was killed at its very end: it holds secrets.
    await rm(draft, { force: true })
    return followAddress(path, baseUrl)
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

async function followAddress(path: string, baseUrl: string): Promise<void> {
  const sandbox = JSON.parse(await readFile(path, 'utf8')) as SandboxFile
  if (sandbox.base_url !== baseUrl) write(path, { ...sandbox, base_url: baseUrl })
}

function write(path: string, content: object): void {
  replaceFile(path, `${JSON.stringify(content, null, 2)}\n`)
}
