import { ApiError } from 'quittance'

interface Envelope {
  readonly code?: number
  readonly message?: string
  readonly data?: { readonly error?: ConstructorParameters<typeof ApiError>[0]['error'] }
}

/** Errors have the envelope of the API, whichever part of the service answers. */
export async function readEnvelope(response: Response): Promise<Envelope | undefined> {
  return response.json().catch(() => undefined) as Promise<Envelope | undefined>
}

export function errorOf({ status, headers }: Response, envelope: Envelope | undefined): ApiError {
  const message = envelope?.message ?? `The response with status ${status} is not from the service.`
  const { error = {}, ...data } = envelope?.data ?? {}
  const { code } = envelope ?? {}
  return new ApiError({ status, headers, message, data, error, ...(code !== undefined && { code }) })
}
