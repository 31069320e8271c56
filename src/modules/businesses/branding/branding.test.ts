import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import { Keyring } from '#platform/security/keyring'
import { keysFromEnvironment } from '#platform/security/key-source'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { dataUrl, png } from '#platform/testing/png'
import { businessesOf } from '../businesses.ts'
import { accountOf } from '../testing/account.ts'

const database = await createTestDatabase()
const keyring = new Keyring(keysFromEnvironment(Buffer.alloc(32, 7).toString('base64')))
const businesses = businessesOf({ db: database.db, keyring })
const account = accountOf(database.db)
const NOTHING = {
  display_name: null,
  logo: null,
  color: null,
  email: null,
  phone: null,
  website: null,
  terms_url: null,
  privacy_url: null,
  wallet_names: { wallet_a_pay: null, wallet_b: null },
}

// Proves reference/pages#branding.
test('an edit keeps what it leaves out and removes what is null', async () => {
  const { caller, businessId } = await createTestBusiness(database)
  expect(await account.showBranding(caller)).toEqual({ branding: NOTHING })
  const logo = dataUrl(png())
  await account.editBranding(caller, { logo, color: '#AABBCC', wallet_names: { wallet_b: 'Harbour' } })
  const edited = await account.editBranding(caller, { display_name: 'Tea House' })
  const expected = {
    ...NOTHING,
    display_name: 'Tea House',
    logo,
    color: '#aabbcc',
    wallet_names: { wallet_a_pay: null, wallet_b: 'Harbour' },
  }
  expect(edited).toEqual({ branding: expected })
  expect(await account.showBranding(caller)).toEqual({ branding: expected })
  const shown = await businesses.branding(businessId)
  expect(shown.logo).toMatchObject({ type: 'image/png', hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect((await businesses.logo(businessId))?.content.equals(png())).toBe(true)
  await account.editBranding(caller, { logo: null, color: null, wallet_names: { wallet_b: null } })
  expect(await account.showBranding(caller)).toEqual({
    branding: { ...NOTHING, display_name: 'Tea House' },
  })
})

test('another business has its own branding', async () => {
  const { caller } = await createTestBusiness(database)
  const other = await createTestBusiness(database)
  await account.editBranding(caller, { logo: dataUrl(png()), display_name: 'Tea House' })
  expect(await account.showBranding(other.caller)).toEqual({ branding: NOTHING })
  expect(await businesses.logo(other.businessId)).toBeUndefined()
})

const SCRIPT = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108001000200301', 'hex')
const WEBP = Buffer.concat([
  Buffer.from('RIFF\0\0\0\0WEBPVP8X\n\0\0\0\0\0\0\0', 'latin1'),
  Buffer.from('1f00000f0000', 'hex'),
])

test.each([
  ['a JPEG', dataUrl(JPEG, 'image/jpeg'), undefined],
  ['a WebP', dataUrl(WEBP, 'image/webp'), undefined],
  ['an SVG', dataUrl(Buffer.from(SCRIPT), 'image/svg+xml'), /PNG, JPEG or WebP/],
  ['an SVG that is called a PNG', dataUrl(Buffer.from(SCRIPT)), /PNG, JPEG or WebP/],
  ['a JPEG that is called a PNG', dataUrl(JPEG), /is image\/jpeg, but its data URL says image\/png/],
  ['an address', 'https://shop.example/logo.png', /data URL/],
  ['a wide PNG', dataUrl(png({ width: 2_001, height: 1 })), /at most 2000 pixels/],
  ['a PNG of fewer pixels than it says', dataUrl(png({ saidHeight: 2_000 })), /damaged/],
  ['a PNG of more pixels than it says', dataUrl(png({ height: 2_000, saidHeight: 2 })), /damaged/],
  ['an interlaced PNG', dataUrl(png({ interlace: 1 })), /interlaced/],
  ['half a PNG', dataUrl(png().subarray(0, 60)), /damaged/],
  ['a PNG of more than 256 kB', dataUrl(Buffer.concat([png(), Buffer.alloc(256 * 1024)])), /256 kB/],
])('%s is a logo only when every part of it is an image', async (_what, logo, problem) => {
  const { caller } = await createTestBusiness(database)
  const edited = await account.editBranding(caller, { logo }).catch((error: unknown) => error)
  if (problem === undefined) return expect(edited).toMatchObject({ branding: { logo } })
  expect(edited).toBeInstanceOf(RequestError)
  expect((edited as RequestError).message).toMatch(problem)
  expect(await account.showBranding(caller)).toEqual({ branding: NOTHING })
})
