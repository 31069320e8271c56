import { expect, test } from 'vitest'
import { screenshot, seriousFaults } from '../checkout-browser.ts'
import { runCommand } from '../harness/command-line.ts'
import {
  CONSOLE_SCREENS,
  createUser,
  newVisitor,
  overflowOf,
  PASSWORD,
  signedIn,
  startConsole,
  totpCode,
} from './console-browser.ts'

const scenario = await startConsole()
const { service, url } = scenario

test.each(Object.entries(CONSOLE_SCREENS))(
  'a visitor signs in, lands on the page that was wanted, and signs out (%s)',
  async (name, screen) => {
    const email = `${name.replace(' ', '-')}@example.com`
    await createUser(scenario, email)
    const { page, context } = await newVisitor(scenario, screen)
    await page.goto(`${url}/orders?filter=state%20%3D%20open`)
    await page.getByLabel('E-mail address').fill(email)
    expect(await seriousFaults(page)).toEqual([])
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await screenshot(page, `${name}-sign-in`)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.keyboard.press('Enter')
    await page.getByText('The e-mail address, the password or the code is wrong.').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
    expect(new URL(page.url()).searchParams.get('filter')).toBe('state = open')

    await page.getByRole('button', { name: 'Account and settings' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(`${url}/orders`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await context.close()
  },
)

test('a browser whose language is no language tag gets English', async () => {
  const { page, context } = await newVisitor(scenario)
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'languages', { get: () => ['en-US@posix', 'fr'] }),
  )
  await page.goto(url)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await context.close()
})

test('a user turns on the second factor, and signs in with a code and with a backup code', async () => {
  await createUser(scenario, 'totp@example.com')
  const { page, context } = await signedIn(scenario, 'totp@example.com')
  await page.goto(`${url}/account`)
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const secret = (await page.getByRole('dialog').locator('code').innerText()).trim()
  await page.getByLabel('Six-digit code').fill(totpCode(secret))
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('dialog', { name: 'Your backup codes' })
  await codes.waitFor()
  const [backupCode = ''] = await codes.locator('code').allInnerTexts()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await context.close()

  const again = await newVisitor(scenario)
  const enter = async () => {
    await again.page.goto(`${url}/sign-in`)
    await again.page.getByLabel('E-mail address').fill('totp@example.com')
    await again.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await again.page.keyboard.press('Enter')
    await again.page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
  }
  await enter()
  expect(await seriousFaults(again.page)).toEqual([])
  await again.page.getByLabel('Six-digit code').fill('000000')
  await again.page.keyboard.press('Enter')
  await again.page.getByText('The e-mail address, the password or the code is wrong.').waitFor()
  await again.page.getByLabel('Six-digit code').fill(totpCode(secret, 1))
  await again.page.keyboard.press('Enter')
  await again.page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await again.context.clearCookies()
  await enter()
  await again.page.getByRole('button', { name: 'Use a backup code' }).click()
  await again.page.getByLabel('Backup code', { exact: true }).fill(backupCode)
  await again.page.keyboard.press('Enter')
  await again.page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await again.context.close()
})

test('a trusted device signs in with the password alone, until the user stops trusting it', async () => {
  await createUser(scenario, 'trust@example.com')
  const { page, context } = await signedIn(scenario, 'trust@example.com')
  const post = async (operation: string, data: object) => {
    const path = `${url}/api/auth/two-factor/${operation}`
    const response = await context.request.post(path, { headers: { origin: new URL(url).origin }, data })
    return (await response.json()) as { totpURI: string }
  }
  const { totpURI } = await post('enable', { password: PASSWORD })
  const secret = new URL(totpURI).searchParams.get('secret') ?? ''
  await post('verify-totp', { code: totpCode(secret) })
  const signInAgain = async () => {
    await context.clearCookies({ name: 'quittance.session_token' })
    await page.goto(`${url}/sign-in`)
    await page.getByLabel('E-mail address').fill('trust@example.com')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
  }
  await signInAgain()
  await page.getByLabel('Do not ask again on this device for 30 days').check()
  await page.getByLabel('Six-digit code').fill(totpCode(secret, 1))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await signInAgain()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.goto(`${url}/account`)
  const end = page.getByRole('button', { name: 'Stop trusting' })
  await end.waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'trusted-devices')
  await end.click()
  await page.getByText('Every browser is asked for a code.').waitFor()
  await signInAgain()
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
  await context.close()
})

test('a passkey that was added to the account signs in without a password', async () => {
  await createUser(scenario, 'passkey@example.com')
  const { page, context } = await signedIn(scenario, 'passkey@example.com')
  const devTools = await context.newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${url}/account`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill('My laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('My laptop').waitFor()
  await context.clearCookies()
  await page.goto(`${url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await context.close()
})

test('a user ends the session of another browser', async () => {
  await createUser(scenario, 'sessions@example.com')
  const other = await signedIn(scenario, 'sessions@example.com')
  const { page, context } = await signedIn(scenario, 'sessions@example.com')
  await page.goto(`${url}/account`)
  await page.getByText('This browser').waitFor()
  await page.getByRole('button', { name: 'End all others' }).click()
  await page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' })
  await other.page.goto(`${url}/orders`)
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await Promise.all([context.close(), other.context.close()])
})

test('the link of the command line sets a new password, once', async () => {
  await createUser(scenario, 'forgot@example.com')
  const { link } = await runCommand<{ link: string }>(service, [
    'users',
    'reset-password',
    '--email',
    'forgot@example.com',
  ])
  const { page, context } = await newVisitor(scenario)
  await page.goto(link.replace('127.0.0.1', 'localhost'))
  await page.getByLabel('New password').fill('another good password')
  await page.getByRole('button', { name: 'Save the password' }).click()
  await page.getByRole('heading', { name: 'Your password is changed' }).waitFor()
  await page.goto(link.replace('127.0.0.1', 'localhost'))
  await page.getByLabel('New password').fill('a third good password')
  await page.getByRole('button', { name: 'Save the password' }).click()
  await page.getByText('The link was used, has expired or never existed.').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await context.close()
})
