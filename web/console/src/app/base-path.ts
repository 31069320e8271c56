/** The path of the console with a slash at the end, such as `/console/`. The built files are in a folder below it. */
export const CONSOLE_PATH = new URL(import.meta.env.DEV ? '/console/' : '..', import.meta.url).pathname

/** The address of the service, without a slash at the end. */
export const SERVICE_URL = new URL('..', new URL(CONSOLE_PATH, location.origin)).href.replace(/\/$/, '')
