import { createHmac } from 'node:crypto'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { until } from '#platform/testing/until'
import { newPayer, SCREENS, STEP_TIMEOUT_MS } from '../checkout-browser.ts'
import { buildConsole } from '../harness/built-console.ts'
import type { Client } from '../harness/client.ts'
import { createPerson, PASSWORD } from '../harness/people.ts'
import { startScenario } from '../harness/scenario.ts'
import type { Service } from '../harness/service.ts'
import { sharedBrowser } from '../harness/shared-browser.ts'

export { PASSWORD }

const QUIET_MS = 150

/** The screens that every page must work on. */
export const CONSOLE_SCREENS = {
  desktop: SCREENS.desktop,
  'dark phone': { ...SCREENS.phone, viewport: { width: 390, height: 780 }, colorScheme: 'dark' },
} as const satisfies Record<string, BrowserContextOptions>

export interface ConsoleScenario {
  readonly service: Service
  readonly client: Client
  readonly browser: Browser
  /** The address of the console without a slash at the end. Passkeys need `localhost`. */
  readonly url: string
  readonly databaseUrl: string
}

/** Starts the service with the built console, and a browser. Call it at the top of a file. */
export async function startConsole(env: Record<string, string> = {}): Promise<ConsoleScenario> {
  await buildConsole()
  const { service, client, databaseUrl } = await startScenario({ env })
  const browser = await sharedBrowser()
  const url = `${service.sandbox.base_url.replace('127.0.0.1', 'localhost')}/console`
  return { service, client, browser, url, databaseUrl }
}

export async function createUser({ service }: ConsoleScenario, email: string, role = 'owner'): Promise<void> {
  await createPerson(service, { email, role })
}

export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  readonly pageErrors: string[]
  /** Resolves once the page has waited for nothing for a while, except for as many requests as a test holds. */
  readonly quiet: (held?: () => number) => Promise<void>
}

/** Opens a browser context that collects the errors of its pages. */
export async function newVisitor(
  { browser }: ConsoleScenario,
  options: BrowserContextOptions = SCREENS.desktop,
): Promise<Visitor> {
  const opened = await newPayer(browser, options)
  let waiting = 0
  let changedAtMs = Date.now()
  const count = (change: number) => () => {
    waiting += change
    changedAtMs = Date.now()
  }
  opened.page.on('request', count(1)).on('requestfinished', count(-1)).on('requestfailed', count(-1))
  const quiet = (held = () => 0) => until(() => waiting <= held() && Date.now() - changedAtMs >= QUIET_MS)
  return { ...opened, quiet }
}

/** Gives an element the focus. While a part of a page waits for its texts it is hidden, and can neither take the focus nor keep it. */
export async function focus({ quiet }: Pick<Visitor, 'quiet'>, target: Locator): Promise<void> {
  await quiet()
  await until(async () => {
    await target.focus()
    return (await target.and(target.page().locator(':focus')).count()) === 1
  }, STEP_TIMEOUT_MS)
}

/** A visitor who is signed in, without the detour through the page. */
export async function signedIn(
  scenario: ConsoleScenario,
  email: string,
  options?: BrowserContextOptions,
): Promise<Visitor> {
  const visitor = await newVisitor(scenario, options)
  const response = await visitor.context.request.post(`${scenario.url}/api/auth/sign-in/email`, {
    headers: { origin: new URL(scenario.url).origin },
    data: { email, password: PASSWORD },
  })
  if (!response.ok()) throw new Error(`${email} could not sign in: ${await response.text()}`)
  return visitor
}

/** Resolves once the console shows what is at the address. */
const navigate = (url: string) => `new Promise((resolve) => {
  const stop = __TSR_ROUTER__.subscribe('onRendered', () => resolve(stop()))
  history.pushState(null, '', ${JSON.stringify(url)})
})`

/**
 * Opens an address of the console: the first by loading it, the others as a link in the console does, which takes a third of the
 * processor time. What was read in the last ten seconds is not read again (`query-client.ts`).
 */
export async function visit(page: Page, url: string): Promise<void> {
  if (page.url() === 'about:blank') await page.goto(url)
  else await page.evaluate(navigate(url))
}

/** Opens a page of the console, and waits until all of it is there. */
export async function show({ page, quiet }: Visitor, url: string, heading: string | RegExp): Promise<void> {
  await visit(page, url)
  await page.getByRole('heading', { name: heading, exact: true }).first().waitFor()
  await quiet()
}

/** How far a page is wider than its screen, in pixels. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the code that an authenticator shows now, or this many steps later (RFC 6238). */
export function totpCode(secret: string, steps = 0): string {
  const bits = [...secret.replaceAll('=', '')].map((character) =>
    BASE32.indexOf(character).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const digest = createHmac('sha1', Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))))
    .update(counter)
    .digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000
  return String(number).padStart(6, '0')
}
