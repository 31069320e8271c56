import { mkdir } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'

/** A phone and a desktop screen. */
export const SCREENS = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
} as const satisfies Record<string, BrowserContextOptions>

/** Chromium as an npm package brings it: no root, no download, its own system libraries. */
export async function startBrowser(): Promise<Browser> {
  // Says that it runs where those libraries are missing, so that it unpacks them; read when the module is loaded.
  process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs22.x'
  const { default: chromiumPackage } = await import('@sparticuz/chromium')
  return chromium.launch({
    executablePath: await chromiumPackage.executablePath(),
    // The package's own arguments are for one page in one process, which ends with its first context.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  })
}

/** A browser of one payer; whatever its pages complain about is collected. */
export async function newPayer(
  browser: Browser,
  options: BrowserContextOptions = SCREENS.desktop,
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await browser.newContext({ locale: 'en-US', ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return { context, page, complaints }
}

/** What axe finds that a payer would stumble over. */
export async function seriousFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    // Our pages have no frames, and only what is wrong is asked for: a third of the time.
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(', ')}`)
}

/** Kept when SCREENSHOTS names a directory, to be looked at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const directory = process.env['SCREENSHOTS']
  if (directory === undefined) return
  await mkdir(directory, { recursive: true })
  await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true })
}
