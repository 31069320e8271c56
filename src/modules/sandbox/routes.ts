import Type from 'typebox'
import { defineRoute, type Route } from '#platform/http/route'
import { strictObject, Text, Timestamp } from '#platform/http/schemas'
import type { SandboxClock } from './sandbox-clock.ts'

const BASE = '/svc/sandbox/api/v1/openapi/clock'
const TAG = 'Sandbox'

const ClockData = Type.Object({
  clock: Type.Object({ now: Type.String({ format: 'date-time', description: 'RFC 3339, UTC' }) }),
})

const AdvanceBody = strictObject({
  to: Type.Optional(Timestamp({ description: 'The moment to move to; either this or by' })),
  by: Type.Optional(Text({ max: 64, description: 'ISO 8601 duration, such as P1M; at most 10 years' })),
})

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
      tag: TAG,
      body: AdvanceBody,
      data: ClockData,
      handle: ({ caller, body }) => clock.advance(caller, body),
    }),
  ]
}
