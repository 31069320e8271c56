import type { Browser } from './browser.ts'
import type { createFixture } from './fixture.ts'
import { outcomeOf } from './reason.ts'
import { totpCode } from './totp.ts'

const TWO_FACTOR = '/console/api/auth/two-factor'

export async function enrol(page: Browser, password: string) {
  const enabled = await page.send(`${TWO_FACTOR}/enable`, { body: { password } })
  const { totpURI, backupCodes } = enabled.body as { totpURI: string; backupCodes: string[] }
  const code = totpCode(totpURI)
  const verified = await page.send(`${TWO_FACTOR}/verify-totp`, { body: { code } })
  if (outcomeOf(verified) !== '200') throw new Error(`the second factor stays off: ${outcomeOf(verified)}`)
  return { totpURI, backupCodes, code }
}

export async function enrolledUser(
  fixture: Awaited<ReturnType<typeof createFixture>>,
  options: Parameters<typeof fixture.serve>[0] = {},
) {
  await fixture.admin.query('delete from sign_in_failures')
  const service = await fixture.serve(options)
  const user = await fixture.newUser(service.users)
  const page = service.browser()
  await page.signIn(user.email, user.password)
  const before = page.sessionCookie
  const enrolled = await enrol(page, user.password)
  const halfway = async () => {
    const other = service.browser()
    await other.signIn(user.email, user.password)
    return other
  }
  return { ...service, ...enrolled, user, page, before, halfway }
}

export async function verifyCode(page: Browser, code: string, body: object = {}): Promise<string> {
  return outcomeOf(await page.send(`${TWO_FACTOR}/verify-totp`, { body: { code, ...body } }))
}
