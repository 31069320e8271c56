import { onOneLine } from '#kernel/one-line'
import type { Mail } from '#platform/mail/mailer'

type Text = Omit<Mail, 'to'>

interface Words {
  readonly reset: (url: string) => Text
  readonly invitation: (business: string, url: string) => Text
}

export const LOCALES = ['en', 'zh-Hant', 'zh-Hans'] as const
type Locale = (typeof LOCALES)[number]

const WORDS: Readonly<Record<Locale, Words>> = {
  en: {
    reset: (url) => ({
      subject: 'Reset your password',
      text: `Somebody asked to reset the password of this address.\n\nChoose a new password within one hour:\n${url}\n\nIf it was not you, do nothing: your password stays as it is.\n`,
    }),
    invitation: (business, url) => ({
      subject: `You are invited to ${business}`,
      text: `You are invited to work for ${business}.\n\nAccept within seven days:\n${url}\n\nThe link works once. If you did not expect it, do nothing.\n`,
    }),
  },
  'zh-Hant': {
    reset: (url) => ({
      subject: '重設密碼',
      text: `有人要求重設這個電郵地址的密碼。\n\n請在一小時內設定新密碼：\n${url}\n\n如果不是您本人，請不用理會，密碼不會改變。\n`,
    }),
    invitation: (business, url) => ({
      subject: `邀請您加入 ${business}`,
      text: `${business} 邀請您加入。\n\n請在七天內接受：\n${url}\n\n連結只能使用一次。如果您沒有預期收到邀請，請不用理會。\n`,
    }),
  },
  'zh-Hans': {
    reset: (url) => ({
      subject: '重置密码',
      text: `有人要求重置此电子邮箱的密码。\n\n请在一小时内设置新密码：\n${url}\n\n如果不是您本人，请忽略，密码不会改变。\n`,
    }),
    invitation: (business, url) => ({
      subject: `邀请您加入 ${business}`,
      text: `${business} 邀请您加入。\n\n请在七天内接受：\n${url}\n\n链接只能使用一次。如果您没有预期收到邀请，请忽略。\n`,
    }),
  },
}

export function resetMail(locale: string, url: string): Text {
  return wordsOf(locale).reset(url)
}

export function invitationMail(locale: string, business: string, url: string): Text {
  return wordsOf(locale).invitation(onOneLine(business), url)
}

function wordsOf(locale: string): Words {
  const known = LOCALES.find((name) => name === locale)
  return WORDS[known ?? 'en']
}
