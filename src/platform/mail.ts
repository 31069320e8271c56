import { createTransport } from 'nodemailer'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  send(mail: Mail): Promise<void>
}

const TIMEOUT_MS = 15_000

/** @param smtpUrl such as `smtps://user:password@mail.example.com`; with `smtp:`, TLS is used where the server offers it */
export function createMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  const transport = createTransport(
    { url: smtpUrl, connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
    { from },
  )
  return {
    send: async (mail) => {
      await transport.sendMail(mail)
    },
  }
}
