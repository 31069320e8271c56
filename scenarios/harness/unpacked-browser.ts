import { unpackBrowser } from '../checkout-browser.ts'

/** Runs before all tests, because several of their processes start the browser at the same time. */
export async function setup(): Promise<void> {
  await unpackBrowser()
}
