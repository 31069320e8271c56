/** What the page says, by the languages of messages. */
export interface UnsubscribeWords {
  readonly question: string
  readonly button: string
  readonly done: string
}

export const UNSUBSCRIBE_WORDS: Readonly<Record<string, UnsubscribeWords>> = {
  ar: {
    question: 'هل تريد إلغاء الاشتراك في هذه الرسائل؟',
    button: 'إلغاء الاشتراك',
    done: 'تم إلغاء اشتراكك.',
  },
  de: {
    question: 'Möchten Sie diese E-Mails abbestellen?',
    button: 'Abbestellen',
    done: 'Sie haben diese E-Mails abbestellt.',
  },
  en: {
    question: 'Do you want to unsubscribe from these e-mails?',
    button: 'Unsubscribe',
    done: 'You are unsubscribed.',
  },
  es: {
    question: '¿Quiere dejar de recibir estos correos?',
    button: 'Cancelar suscripción',
    done: 'Ya no recibirá estos correos.',
  },
  fr: {
    question: 'Voulez-vous ne plus recevoir ces e-mails\u00a0?',
    button: 'Se désabonner',
    done: 'Vous ne recevrez plus ces e-mails.',
  },
  id: {
    question: 'Apakah Anda ingin berhenti menerima email ini?',
    button: 'Berhenti berlangganan',
    done: 'Anda telah berhenti berlangganan.',
  },
  ja: {
    question: 'これらのメールの配信を停止しますか？',
    button: '配信を停止する',
    done: '配信を停止しました。',
  },
  ko: {
    question: '이 이메일의 수신을 거부하시겠습니까?',
    button: '수신 거부',
    done: '수신이 거부되었습니다.',
  },
  ms: {
    question: 'Adakah anda mahu berhenti menerima e-mel ini?',
    button: 'Berhenti melanggan',
    done: 'Anda telah berhenti melanggan.',
  },
  pt: {
    question: 'Deseja deixar de receber estes e-mails?',
    button: 'Cancelar subscrição',
    done: 'Não receberá mais estes e-mails.',
  },
  th: {
    question: 'คุณต้องการหยุดรับอีเมลเหล่านี้หรือไม่',
    button: 'ยกเลิกการรับอีเมล',
    done: 'ยกเลิกการรับอีเมลแล้ว',
  },
  vi: {
    question: 'Bạn có muốn ngừng nhận những email này không?',
    button: 'Hủy đăng ký',
    done: 'Bạn đã hủy đăng ký.',
  },
  'zh-Hans': { question: '您要退订这些邮件吗？', button: '退订', done: '您已退订。' },
  'zh-Hant': { question: '您要取消訂閱這些電郵嗎？', button: '取消訂閱', done: '您已取消訂閱。' },
}
