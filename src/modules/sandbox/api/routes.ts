import { defineRoute, type Route } from '#platform/http/routes/route'
import type { SandboxClock } from '../clock/sandbox-clock.ts'
import type { SandboxDependencies } from '../dependencies.ts'
import { getFaults, putFaults } from '../simulator/faults.ts'
import { renderClock, renderDue, renderFaults } from './render.ts'
import { AdvanceBody } from '../clock/read-target.ts'
import { ClockData, DueData, DueQuery, FaultsBody, FaultsData } from './schemas.ts'

const SANDBOX = '/svc/sandbox/api/v1/openapi'
const BASE = `${SANDBOX}/clock`
const TAG = 'Sandbox'

export function sandboxRoutes(
  clock: SandboxClock,
  deps: Pick<SandboxDependencies, 'db' | 'simulator'>,
): Route[] {
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
      render: renderClock,
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
      render: renderClock,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/due`,
      scope: 'admin:read',
      environments: 'test',
      summary: 'List the kinds of work that become due until a time',
      description: 'Says for each kind when its first work is due, earliest first. Nothing is done.',
      tag: TAG,
      query: DueQuery,
      data: DueData,
      handle: ({ caller, query }) => clock.due(caller, query),
      render: renderDue,
    }),
    defineRoute({
      method: 'GET',
      path: `${SANDBOX}/faults`,
      scope: 'admin:read',
      environments: 'test',
      summary: 'Get the faults of the acquirer simulator',
      tag: TAG,
      data: FaultsData,
      handle: ({ caller }) => getFaults(deps, caller),
      render: renderFaults,
    }),
    defineRoute({
      method: 'PUT',
      path: `${SANDBOX}/faults`,
      scope: 'admin:write',
      environments: 'test',
      summary: 'Set the faults of the acquirer simulator',
      description:
        'Replaces all faults of this test environment; others are not affected. They last until they are set to 0 or the simulator ends.',
      tag: TAG,
      body: FaultsBody,
      example: {
        faults: { latency_ms: 0, fail_before_percent: 0, fail_after_percent: 0, lose_answer_percent: 20 },
      },
      data: FaultsData,
      handle: ({ caller, body }) => putFaults(deps, caller, body.faults),
      render: renderFaults,
    }),
  ]
}
