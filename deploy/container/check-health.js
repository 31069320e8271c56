// @ts-check
/** The image's health check: exits with 0 while `/readyz` of the process in this container answers 200. */
const port = process.env['WORKER_PORT'] || process.env['PORT'] || '8080'
const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4000) }).catch(
  () => undefined,
)
process.exit(response?.ok === true ? 0 : 1)
