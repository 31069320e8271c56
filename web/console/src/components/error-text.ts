import { ApiError, ConnectionError } from 'quittance'
import { useTranslation } from 'react-i18next'
import { NotSentError, OutcomeUnknownError } from '#app/attempt.ts'
import { isLoadFailure } from '#app/upgrade.ts'
import { joinSentences } from '#components/joined.ts'
import { inWords } from '#components/member-words.ts'

/** What the API says of an error, or of an object that a bulk action refused. */
interface Said {
  readonly reason: string | undefined
  readonly message: string
  readonly recommendedAction?: string | undefined
  /** The member of the request that is at fault. */
  readonly param?: string | undefined
}

interface ErrorText {
  readonly message: string
  /** The API's own words, where they say more than the message: which member, which amount. */
  readonly original?: string
  readonly action: string | undefined
}

/**
 * The texts of an error in the language of the page. An English page shows what the API says, unless that speaks of members:
 * `refusals.json` then says it in the words of the console, or else the members in words. In other languages,
 * `en/errors.json` has the API's general message for each reason, so that a message that says more stands beside the translation.
 */
export function useErrorText(): (said: Said) => ErrorText {
  const { i18n } = useTranslation('components')
  const isEnglish = i18n.language.startsWith('en')
  const { t, ready } = useTranslation(isEnglish ? 'components' : 'errors', { useSuspense: false })
  const own = useTranslation('refusals', { useSuspense: false })
  const ownText = (key: string) => (i18n.exists(key, { ns: 'refusals' }) ? own.t(key) : undefined)
  return ({ reason, message: original, recommendedAction: toDo, param }) => {
    const said = reason === undefined ? original : inWords(original, param)
    const key = `${reason}.message`
    const message = ownText(key) ?? said
    const action = ownText(`${reason}.action`) ?? toDo
    if (isEnglish || reason === undefined || (ready && !i18n.exists(key, { ns: 'errors' })))
      return { message, action }
    // A screen reader would say the English text first.
    if (!ready) return { message: '', action: undefined }
    const says = i18n.getFixedT('en', 'errors')(key)
    return {
      message: ownText(key) ?? t(key),
      ...(original !== says && { original: said }),
      action:
        toDo === undefined
          ? undefined
          : (ownText(`${reason}.action`) ?? t(`${reason}.action`, { defaultValue: toDo })),
    }
  }
}

interface FailureText extends ErrorText {
  readonly title: string
}

/** What went wrong, whether something may have happened, and what to do. */
export function useFailureText(): (error: unknown) => FailureText {
  const { t } = useTranslation('components')
  const errorText = useErrorText()
  return (error) => {
    const title = t(titleKey(error))
    if (error instanceof NotSentError) return { title, message: t('error.not_sent'), action: undefined }
    if (error instanceof OutcomeUnknownError) {
      const message = t(error.isRepeatable ? 'error.unknown_repeatable' : 'error.unknown')
      return { title, message, action: undefined }
    }
    if (error instanceof ConnectionError) return { title, message: t('error.not_read'), action: undefined }
    const api = error instanceof ApiError ? error : undefined
    const message = error instanceof Error ? error.message : String(error)
    return {
      title,
      ...errorText({
        reason: api?.reason,
        message,
        recommendedAction: api?.recommendedAction,
        param: api?.param,
      }),
    }
  }
}

/** For a failure that no page or dialog shows. The notification stays until it is closed. */
export function useFailureNotification() {
  const { i18n } = useTranslation('components')
  const failureText = useFailureText()
  return (error: unknown) => {
    const { title, message, original = '', action = '' } = failureText(error)
    return {
      color: 'red',
      title,
      message: joinSentences(i18n.language, [message, original, action]),
      autoClose: false,
    } as const
  }
}

export const NO_ACQUIRER = 'acquirer_not_configured'

function titleKey(error: unknown): string {
  if (error instanceof NotSentError) return 'error.offline'
  if (error instanceof OutcomeUnknownError) return 'error.no_answer'
  if (isLoadFailure(error)) return 'error.not_loaded'
  if (error instanceof ConnectionError) return 'error.connection'
  if (!(error instanceof ApiError)) return 'error.other'
  if (error.status === 403) return 'error.forbidden'
  if (error.status === 404) return 'error.not_found'
  if (error.reason === NO_ACQUIRER) return 'error.refused'
  if (error.status === 504) return 'error.unknown_outcome'
  return error.status >= 500 ? 'error.service' : 'error.refused'
}
