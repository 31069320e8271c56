/**
 * The time until the console's first page is ready in the browser: from the navigation until the figures of Home are
 * visible, signed in, each round with an empty cache. The sign-in page is measured beside it. With `--assert` a median
 * over the aim, plus the slack of shared machines, fails the run.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { SCREENS, startBrowser } from '../scenarios/checkout-browser.ts'
import { REPOSITORY_ROOT, startService } from '../scenarios/harness/service.ts'
import { median, SLACK } from './support/report.ts'

const MAX_SECONDS = 1.5
const ROUNDS = 5

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

/** Makes the first user through the page of the link that the start printed, and returns the cookies of the session. */
async function signUp(browser: Browser, output: string): Promise<Cookies> {
  const [link] = /http\S+\/console\/setup\?token=\S+/.exec(output) ?? []
  if (link === undefined) throw new Error('the start printed no link for the first user')
  const context = await browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(link)
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByLabel('New password').fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await figures(page)
  const cookies = await context.cookies()
  await context.close()
  return cookies
}

function figures(page: Page): Promise<void> {
  return page.getByText('Paid today', { exact: true }).waitFor()
}

async function secondsUntil(
  browser: Browser,
  url: string,
  cookies: Cookies,
  isReady: (page: Page) => Promise<void>,
): Promise<number> {
  // A new context has an empty cache.
  const context = await browser.newContext({ locale: 'en-US', ...SCREENS.desktop })
  await context.addCookies(cookies)
  const page = await context.newPage()
  const startedAtMs = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await isReady(page)
  const seconds = (performance.now() - startedAtMs) / 1_000
  await context.close()
  return seconds
}

async function benchConsole(): Promise<boolean> {
  await promisify(execFile)(process.execPath, ['web/console/scripts/build.js'], { cwd: REPOSITORY_ROOT })
  const service = await startService()
  try {
    const browser = await startBrowser()
    try {
      const url = `${service.sandbox.base_url}/console`
      const cookies = await signUp(browser, service.output())
      const home: number[] = []
      const signIn: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        home.push(await secondsUntil(browser, url, cookies, figures))
        signIn.push(
          await secondsUntil(browser, url, [], (page) => page.getByLabel('E-mail address').waitFor()),
        )
      }
      const holds = median(home) <= MAX_SECONDS
      const rounds = home.map((seconds) => seconds.toFixed(2)).join(', ')
      console.log(
        `console: Home with its figures after ${median(home).toFixed(2)} s (${rounds}), aim ${MAX_SECONDS}` +
          `${holds ? '' : ': TOO SLOW'}; the sign-in page after ${median(signIn).toFixed(2)} s`,
      )
      return median(home) <= MAX_SECONDS * (1 + SLACK)
    } finally {
      await browser.close()
    }
  } finally {
    await service.stop()
  }
}

const holds = await benchConsole()
if (!holds && process.argv.includes('--assert')) process.exitCode = 1
