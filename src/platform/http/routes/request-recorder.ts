import type { FastifyRequest } from 'fastify'
import type { Principal } from '#platform/http/authorization'

/** Takes every API request of a known tenant after its reply. Must return at once and never throw. */
export interface RequestRecorder {
  record(handled: HandledRequest): void
}

export interface HandledRequest {
  readonly request: Pick<FastifyRequest, 'id' | 'method' | 'headers' | 'body' | 'ip' | 'raw'>
  readonly route: string
  readonly principal: Principal
  readonly status: number
  readonly reason: string | undefined
  readonly durationMs: number
  readonly isWrite: boolean
  readonly isReplayed: boolean
  readonly responseBody: string | undefined
}
