import { expect, test } from 'vitest'
import { createMailer } from './mailer.ts'
import { mailServerForTest } from './testing/mail-server.ts'

const mailFrom = 'The Shop <pay@shop.example>'
const mail = { to: 'amy@example.com', subject: 'Your code', text: 'The code is 123456. 驗證碼。' }

// Proves reference/operations#e-mail.
test('without an SMTP server there is no mailer', () => {
  expect(createMailer({ smtpUrl: undefined, mailFrom: undefined })).toBeUndefined()
})

test('a message arrives as it was written, marked as sent by a program', async () => {
  const server = await mailServerForTest()
  const mailer = createMailer({ smtpUrl: server.url, mailFrom })
  await mailer?.send({ ...mail, html: '<p>The code is 123456.</p>' })
  await mailer?.send(mail)
  expect(server.received).toMatchObject([mail, mail].map(({ to, text }) => ({ to: [to], text })))
  expect(server.received[0]).toMatchObject({
    from: 'pay@shop.example',
    headers: { from: mailFrom, subject: 'Your code', 'auto-submitted': 'auto-generated' },
  })
})

test('a message has one recipient, whatever its address contains', async () => {
  const server = await mailServerForTest()
  const mailer = createMailer({ smtpUrl: server.url, mailFrom })
  const addresses = [
    'amy@example.com, eve@example.com',
    'amy@example.com\r\nBcc: eve@example.com',
    'Eve <eve@example.com>',
    '',
  ]
  for (const to of addresses) await expect(mailer?.send({ ...mail, to })).rejects.toThrow(/exactly one/)
  expect(server.received).toEqual([])
})

test('a subject stays one line, whatever the names in it contain', async () => {
  const server = await mailServerForTest()
  const mailer = createMailer({ smtpUrl: server.url, mailFrom })
  for (const subject of ['Code\r\nBcc: eve@example.com', 'Code\u2028\u202eBcc: eve@example.com'])
    await mailer?.send({ ...mail, subject })
  expect(server.received.map(({ to, headers }) => [to, headers['subject'], headers['bcc']])).toEqual(
    server.received.map(() => [['amy@example.com'], 'Code Bcc: eve@example.com', undefined]),
  )
})

test('the server is given the credentials of the URL, and its refusal is an error without them', async () => {
  const server = await mailServerForTest({
    credentials: { user: 'shop', password: 'p@ss:word' },
    refuses: (recipient) => recipient.startsWith('nobody@'),
  })
  const urlWith = (password: string) => server.url.replace('//', `//shop:${encodeURIComponent(password)}@`)
  const mailer = createMailer({ smtpUrl: urlWith('p@ss:word'), mailFrom })
  await mailer?.send(mail)
  expect(server.received).toHaveLength(1)
  await expect(mailer?.send({ ...mail, to: 'nobody@example.com' })).rejects.toThrow(/no such mailbox/)
  const wrong = createMailer({ smtpUrl: urlWith('hunter2'), mailFrom })
  const refusal = await wrong?.send(mail).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(Error)
  expect(JSON.stringify(refusal) + String(refusal)).not.toContain('hunter2')
})

test('no password goes to another host without TLS', async () => {
  const server = await mailServerForTest()
  // This spelling of loopback stands for any other host.
  const smtpUrl = server.url.replace('//127.0.0.1', '//shop:hunter2@[::ffff:127.0.0.1]')
  await expect(createMailer({ smtpUrl, mailFrom })?.send(mail)).rejects.toThrow(/STARTTLS/i)
  expect(server.received).toEqual([])
  const mailer = createMailer({ smtpUrl: smtpUrl.replace('shop:hunter2@', ''), mailFrom })
  await mailer?.send(mail)
  expect(server.received).toHaveLength(1)
})
