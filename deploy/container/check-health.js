// @ts-check
/**
 * `node check-health.js [PATH [PORT]]` exits with 0 while the process in this container answers 2xx; by default at `/readyz`, on
 * the port that its settings name. The limits of time are wide, because Node takes seconds to start on an overloaded machine.
 */
const [path = '/readyz', port = process.env['WORKER_PORT'] || process.env['PORT'] || '8080'] = process.argv.slice(2)
const signal = AbortSignal.timeout(15_000)
const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal }).catch(() => undefined)
process.exit(response?.ok === true ? 0 : 1)
