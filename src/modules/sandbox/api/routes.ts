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
      summary: 'Move the clock forward, and let everything that becomes due on the way happen',
      description:
        'Answers when all of it has happened, each at its own time. It goes on when the caller hangs up, and another one is 409 meanwhile. Either `to` or `by`, at most 10 years, never back. Everything else can be called while the clock moves.',
      tag: TAG,
      body: AdvanceBody,
      example: { by: 'P1M' },
      data: ClockData,
      handle: ({ caller, body }) => clock.advance(caller, body),
    }),
  ]
}
