import { unpackBrowser } from '../checkout-browser.ts'

/** Before any test, because test files start the browser in several processes at once. */
export async function setup(): Promise<void> {
  await unpackBrowser()
}
