import { mkdir } from 'node:fs/promises'
import axe, { type Result, type RunOptions } from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'

export const SCREENS = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
} as const satisfies Record<string, BrowserContextOptions>

/** Of a click or a wait, on a machine that does much else. */
export const STEP_TIMEOUT_MS = 60_000

/** Starts the Chromium of an npm package, which needs no root and no download and brings its system libraries. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await unpackBrowser(),
    // With the package's own arguments the browser ends with its first context.
    timeout: STEP_TIMEOUT_MS,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      // Pages live for seconds, in which optimizing their code takes more time than it saves.
      '--js-flags=--no-turbofan',
      // Otherwise each visit of another site starts a process.
      '--disable-site-isolation-trials',
      '--renderer-process-limit=1',
    ],
  })
}

/** Unpacks Chromium unless it is there. A process that starts it while another one unpacks it fails with ETXTBSY. */
export async function unpackBrowser(): Promise<string> {
  // Makes the package unpack its system libraries, too. It reads the variable when it is loaded.
  process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs22.x'
  const { default: chromiumPackage } = await import('@sparticuz/chromium')
  return chromiumPackage.executablePath()
}

/** Opens a browser context for one payer and collects the errors of its pages. */
export async function newPayer(
  browser: Browser,
  options: BrowserContextOptions = SCREENS.desktop,
): Promise<{ context: BrowserContext; page: Page; pageErrors: string[] }> {
  const context = await browser.newContext({ locale: 'en-US', ...options })
  context.setDefaultTimeout(STEP_TIMEOUT_MS)
  const page = await context.newPage()
  const pageErrors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') pageErrors.push(message.text())
  })
  page.on('pageerror', (error) => pageErrors.push(error.message))
  return { context, page, pageErrors }
}

/** The only rule of axe for what WCAG 2.2 AA adds. It is off by default. */
const TARGET_SIZE = 'target-size'

const AXE_OPTIONS: RunOptions = {
  resultTypes: ['violations'],
  // Without preload axe does not fetch the acquirer's stylesheet, which its server may forbid.
  preload: false,
  rules: { [TARGET_SIZE]: { enabled: true } },
}

/** The serious and critical accessibility faults that axe finds, and targets that are too small for WCAG 2.2 AA. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // @axe-core/playwright loads axe several times for each call, which takes twenty times as long. It also enters frames, and our
  // pages have none.
  if (!(await page.evaluate<boolean>(`typeof axe === 'object'`))) await page.evaluate(axe.source)
  const violations = await page.evaluate<Result[]>(
    `axe.run(${JSON.stringify(AXE_OPTIONS)}).then(({ violations }) => violations)`,
  )
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === TARGET_SIZE)
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(', ')}`)
}

/** Saves a screenshot when SCREENSHOTS names a directory. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const directory = process.env['SCREENSHOTS']
  if (directory === undefined) return
  await mkdir(directory, { recursive: true })
  await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true })
}
