import type { Browser } from 'playwright-core'
import { cleanUp } from '#platform/testing/clean-up'
import { startBrowser } from '../checkout-browser.ts'

let started: Promise<Browser> | undefined

/**
 * The browser of this process, which stays for the files that follow: a start takes a second of processor time. What was opened
 * in it is closed with the file, or with the test that asks for it.
 */
export async function sharedBrowser(): Promise<Browser> {
  started ??= start()
  const browser = await started
  cleanUp(() => Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}

async function start(): Promise<Browser> {
  const browser = await startBrowser()
  browser.on('disconnected', () => (started = undefined))
  return browser
}
