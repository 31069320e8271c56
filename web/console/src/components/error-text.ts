import { useTranslation } from 'react-i18next'

/** What the API says of an error, or of an object that a bulk action refused. */
interface Said {
  readonly reason: string | undefined
  readonly message: string
  readonly recommendedAction?: string | undefined
}

interface ErrorText {
  readonly message: string
  /** The API's own words, where they say more than the message: which member, which amount. */
  readonly original?: string
  readonly action: string | undefined
}

/**
 * The texts of an error in the language of the page. An English page shows what the API says and loads no texts. In others,
 * `en/errors.json` has the API's general message for each reason, so that a message that says more stands beside the translation.
 */
export function useErrorText(): (said: Said) => ErrorText {
  const { i18n } = useTranslation('components')
  const isEnglish = i18n.language.startsWith('en')
  const { t, ready } = useTranslation(isEnglish ? 'components' : 'errors', { useSuspense: false })
  return ({ reason, message, recommendedAction: action }) => {
    const key = `${reason}.message`
    if (isEnglish || reason === undefined || (ready && !i18n.exists(key, { ns: 'errors' })))
      return { message, action }
    // A screen reader would say the English text first.
    if (!ready) return { message: '', action: undefined }
    const says = i18n.getFixedT('en', 'errors')(key)
    return {
      message: t(key),
      ...(message !== says && { original: message }),
      action: action === undefined ? undefined : t(`${reason}.action`, { defaultValue: action }),
    }
  }
}
