import { createHash, generateKeyPairSync, verify } from 'node:crypto'
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

test('a reply of too many lines ends the connection', async () => {
  const replyOf = (lines: number) =>
    mailServerForTest({
      says: (line) => (line.includes('PIPELINING') ? '250-AUTH PLAIN\r\n'.repeat(lines) + line : line),
    })
  const [usual, hostile] = await Promise.all([replyOf(100), replyOf(20_000)])
  await createMailer({ smtpUrl: usual.url, mailFrom })?.send(mail)
  expect(usual.received).toHaveLength(1)
  await expect(createMailer({ smtpUrl: hostile.url, mailFrom })?.send(mail)).rejects.toThrow(
    /maximum allowed size/,
  )
  expect(hostile.received).toEqual([])
})

// Proves reference/messages#tries.
test('no more mails leave in a second than the setting allows', async () => {
  const server = await mailServerForTest()
  const mailer = createMailer({ smtpUrl: server.url, mailFrom, mailsPerSecond: 4 })
  const start = performance.now()
  const ids = Array.from({ length: 10 }, (_, index) => `<${index}@shop.example>`)
  await Promise.all(
    ids.map(async (messageId) => mailer?.handOver({ ...mail, recipients: [mail.to], messageId })),
  )
  mailer?.close()
  expect(server.received).toHaveLength(10)
  expect(performance.now() - start).toBeGreaterThan(1_900)
})

// Proves reference/messages#dkim.
test('the signature holds for the message as it arrives, line feeds of texts included', async () => {
  const server = await mailServerForTest()
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const dkim = { domain: 'shop.example', selector: 's1', key: privateKey }
  const mailer = createMailer({ smtpUrl: server.url, mailFrom, dkim })
  const handedOver = await mailer?.handOver({
    ...mail,
    text: 'One\nTwo\r\n\n.\n..Three  \n',
    html: '<p>One\n<b>Two</b></p>\n\n',
    recipients: [mail.to],
    messageId: '<1@shop.example>',
    headers: { 'List-Unsubscribe': '<https://pay.example.com/u>' },
    attachments: [{ name: 'a.txt', contentType: 'text/plain', content: Buffer.from('x\ny') }],
  })
  mailer?.close()
  expect(handedOver?.accepted).toEqual([mail.to])
  const raw = server.received[0]?.raw ?? ''
  const end = raw.indexOf('\r\n\r\n')
  const fields = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const relaxed = (text: string) => text.replaceAll(/[ \t]+/g, ' ').trim()
  const lines = raw
    .slice(end + 4)
    .replace(/(\r\n)+$/, '')
    .split('\r\n')
  const body = lines.map((line) => `${line.replaceAll(/[ \t]+/g, ' ').replace(/ $/, '')}\r\n`).join('')
  const [signature = '', ...others] = fields
  const tags = new Map(
    signature.split(/[:;]\s*/).map((tag) => [tag.split('=')[0], tag.slice(tag.indexOf('=') + 1)]),
  )
  const hash = (text: string) => createHash('sha256').update(text, 'latin1').digest()
  expect(tags.get('bh')).toBe(hash(body).toString('base64'))
  const names = signature.slice(signature.indexOf('h=') + 2, signature.indexOf('; bh=')).split(':')
  expect(names).toContain('list-unsubscribe')
  const field = (name: string) => others.find((one) => one.toLowerCase().startsWith(`${name}:`)) ?? ''
  const canonical = names.map((name) => `${name}:${relaxed(field(name).slice(name.length + 1))}\r\n`)
  const unsigned = relaxed(signature.slice(15, signature.indexOf(' b=') + 3))
  const signed = hash([...canonical, `dkim-signature:${unsigned}`].join(''))
  const value = signature.slice(signature.indexOf(' b=') + 3).replaceAll(' ', '')
  expect(verify(null, signed, publicKey, Buffer.from(value, 'base64'))).toBe(true)
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
