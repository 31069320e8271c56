import { eventually } from '#platform/testing/until'
import { runCommand } from './command-line.ts'
import type { Service } from './service.ts'

export const PASSWORD = 'correct horse battery staple'

interface Person {
  readonly email: string
  readonly role?: string
  readonly isOperator?: boolean
}

/** Makes a user at the command line, who chooses the password with the link that it prints. Returns the id. */
export async function createPerson(
  service: Service,
  { email, role = 'owner', isOperator = false }: Person,
): Promise<string> {
  const member = ['--business', service.sandbox.customer_code, '--role', role]
  const { link, user_id } = await runCommand<{ link: string; user_id: string }>(service, [
    'users',
    'create',
    '--email',
    email,
    ...(isOperator ? ['--operator'] : member),
  ])
  const { origin, searchParams } = new URL(link)
  await sendTo(service, 'POST', '/auth/reset-password', {
    origin,
    body: { token: searchParams.get('token'), newPassword: PASSWORD },
  })
  return user_id
}

interface Sent {
  readonly body?: object
  readonly cookie?: string
  readonly origin?: string
}

/** Calls `/console/api` as a page does. */
export function callConsole(
  service: Service,
  method: string,
  path: string,
  { body, cookie, origin = service.sandbox.base_url }: Sent = {},
): Promise<Response> {
  return fetch(`${service.sandbox.base_url}/console/api${path}`, {
    method,
    headers: {
      origin,
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function sendTo(service: Service, method: string, path: string, sent: Sent): Promise<Response> {
  // On a busy machine the service may get no connection to its database in time.
  const response = await eventually(
    () => callConsole(service, method, path, sent),
    ({ status }) => status !== 503,
  )
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
  return response
}

/** Signs in with the password, and returns the cookie of the session. */
export async function signIn(service: Service, email: string): Promise<string> {
  const response = await sendTo(service, 'POST', '/auth/sign-in/email', {
    body: { email, password: PASSWORD },
  })
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
