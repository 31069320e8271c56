import type { Egress, EgressResult } from '#platform/security/egress'

type Post = Pick<Egress, 'checkUrl' | 'post'>

/** Tests of receivers that do not respond wait no longer than this. */
const MAX_SHORT_MS = 300
/** Above every stall of a busy machine. */
const PATIENCE_MS = 60_000

/** Waits a minute where the service waits for seconds, so that a receiver on a busy machine is not taken for a silent one. */
export function patientEgress(egress: Post): Post {
  return {
    checkUrl: (url) => egress.checkUrl(url),
    post: (request): Promise<EgressResult> =>
      egress.post({
        ...request,
        timeoutMs: request.timeoutMs > MAX_SHORT_MS ? PATIENCE_MS : request.timeoutMs,
      }),
  }
}
