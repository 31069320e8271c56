import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testPackages } from '#platform/testing/test-packages'
import testManifest from '../test-packages/package.json' with { type: 'json' }
import type { Result } from 'axe-core'
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

export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148'

/** Bounds a click or a wait on a busy machine. */
export const STEP_TIMEOUT_MS = 60_000

const BROWSER_FOLDER = fileURLToPath(
  new URL(
    `../node_modules/.cache/chromium-${testManifest.dependencies['@sparticuz/chromium']}`,
    import.meta.url,
  ),
)

/** Starts the Chromium of an npm package, which needs no root and no download and brings its system libraries. */
export async function startBrowser(): Promise<Browser> {
  await unpackBrowser()
  return chromium.launch({
    executablePath: join(BROWSER_FOLDER, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(BROWSER_FOLDER, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(BROWSER_FOLDER, 'fonts'),
    },
    timeout: STEP_TIMEOUT_MS,
    // Otherwise SIGTERM, with which Vitest ends its processes, closes the browser and not the process. The browser ends without it.
    handleSIGTERM: false,
    // With the package's own arguments the browser ends with its first context.
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      // Pages live for seconds, in which optimizing their code takes more time than it saves.
      '--js-flags=--no-turbofan --no-maglev',
      // Otherwise each visit of another site starts a process.
      '--disable-site-isolation-trials',
      '--renderer-process-limit=1',
    ],
  })
}

/** The package's own file names `/tmp/fonts`. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">.</dir></fontconfig>
`

/**
 * Unpacks Chromium into a folder of its version unless it is there. The package itself unpacks into the temporary
 * folder, and would use any file called `chromium` there. The folder gets its name when it is complete.
 */
export async function unpackBrowser(): Promise<void> {
  if (existsSync(BROWSER_FOLDER)) return
  await mkdir(dirname(BROWSER_FOLDER), { recursive: true })
  const unpacked = await mkdtemp(`${BROWSER_FOLDER}-`)
  try {
    const script = `(await import('@sparticuz/chromium')).default.executablePath()`
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: await testPackages(),
      // With the second variable the package unpacks its system libraries, too.
      env: { ...process.env, TMPDIR: unpacked, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    })
    await writeFile(join(unpacked, 'fonts', 'fonts.conf'), FONTS)
    await rename(unpacked, BROWSER_FOLDER).catch((error: unknown) => {
      // Another process has unpacked it meanwhile.
      if (!existsSync(BROWSER_FOLDER)) throw error
    })
  } finally {
    await rm(unpacked, { recursive: true, force: true })
  }
}

/**
 * Opens a browser context for one payer and collects the errors of its pages. With motion, whatever turns or pulses while a page
 * waits is drawn sixty times a second.
 */
export async function newPayer(
  browser: Browser,
  options: BrowserContextOptions = SCREENS.desktop,
): Promise<{ context: BrowserContext; page: Page; pageErrors: string[] }> {
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options })
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

/**
 * An expression, because only axe in the page knows its rules: what a rule finds has the impact of the rule. Without those that are
 * minor or moderate, whose findings `seriousFaults` leaves out, and without a report of what is right, axe takes two thirds of the
 * time.
 */
const AXE_OPTIONS = `{
  reporter: 'no-passes',
  // Without preload axe does not fetch the acquirer's stylesheet, which its server may forbid.
  preload: false,
  rules: Object.fromEntries([
    ...axe._audit.rules
      .filter(({ impact }) => impact === 'minor' || impact === 'moderate')
      .map(({ id }) => [id, { enabled: false }]),
    ['${TARGET_SIZE}', { enabled: true }],
  ]),
}`

/** Without comments a page reads axe in two thirds of the time. */
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** The serious and critical accessibility faults that axe finds, and targets that are too small for WCAG 2.2 AA. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // @axe-core/playwright loads axe several times for each call, which takes twenty times as long. It also enters frames, and our
  // pages have none.
  if (!(await page.evaluate<boolean>(`typeof axe === 'object'`)))
    await page.evaluate(await readFile(AXE, 'utf8'))
  const violations = await page.evaluate<Result[]>(
    `axe.run(${AXE_OPTIONS}).then(({ violations }) => violations)`,
  )
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === TARGET_SIZE)
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(', ')}`)
}

const QR_READER = createRequire(import.meta.url).resolve('jsqr')

/** Reads the code that the page shows with a reader that this project did not write. */
export async function readCode(page: Page): Promise<string> {
  const reader = await readFile(QR_READER, 'utf8')
  await page.locator('.qr img').waitFor()
  return page.evaluate<string>(`(async () => {
    const module = { exports: {} }
    ;(function (module, exports) { ${reader} })(module, module.exports)
    const image = document.querySelector('.qr img')
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: 480, height: 480 })
    const context = canvas.getContext('2d')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, 480, 480)
    context.drawImage(image, 20, 20, 440, 440)
    const read = module.exports.default ?? module.exports
    return read(context.getImageData(0, 0, 480, 480).data, 480, 480)?.data ?? ''
  })()`)
}

/** Saves a screenshot when SCREENSHOTS names a directory. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const directory = process.env['SCREENSHOTS']
  if (directory === undefined) return
  await mkdir(directory, { recursive: true })
  await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true })
}
