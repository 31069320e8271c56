import { defineRoute, type Route } from '#platform/http/routes/route'
import type { SandboxClock } from '../clock/sandbox-clock.ts'
import { AdvanceBody, ClockData } from './schemas.ts'

const BASE = '/svc/sandbox/api/v1/openapi/clock'
const TAG = 'Sandbox'

export function sandboxRoutes(clock: SandboxClock): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: BASE,
      scope: 'admin:read',
      environments: 'test',
      summary: 'Get the time of the test environment',
      tag: TAG,
      data: ClockData,
      handle: ({ caller }) => clock.read(caller),
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/advance`,
      scope: 'admin:write',
      environments: 'test',
      summary: 'Advance the clock and run everything that becomes due on the way',
      description:
        'Responds once everything that was due has happened, each at its own time. The advance continues if the caller disconnects; until it is done, a second advance gets 409. Send either `to` or `by`: at most 10 years ahead, never back. All other requests work while the clock moves.',
      tag: TAG,
      body: AdvanceBody,
      example: { by: 'P1M' },
      data: ClockData,
      handle: ({ caller, body }) => clock.advance(caller, body),
    }),
  ]
}
