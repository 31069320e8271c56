import { Checkbox, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalDialog } from '#components/modal-dialog.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { LinkToCopy } from '#components/link-to-copy.tsx'
import { useApiQuery } from '#components/loaded.tsx'
import { useApi } from '#app/shell-context.ts'

interface CardLinkDialogProps {
  readonly uuid: string
  readonly onClose: () => void
}

/** Makes a link at which the customer stores another card, and mails it if the agent likes. */
export function CardLinkDialog({ uuid, onClose }: CardLinkDialogProps) {
  const { t } = useTranslation(['customers', 'portal'])
  const { can } = useApi()
  const [url, setUrl] = useState<string>()
  const [sends, setSends] = useState(false)
  const isMade = useRef(false)
  const settings = useApiQuery(['portal'], ({ quittance }, signal) => quittance.portal.get({ signal }), {
    enabled: can('billing:read'),
  })
  const isRefused = settings.data !== undefined && settings.data.allow.payment_methods === false
  if (url !== undefined) {
    return (
      <ModalDialog
        opened
        onClose={onClose}
        title={t('card_link.title')}
        closeButtonProps={{ 'aria-label': t('card_link.close') }}
      >
        <LinkToCopy label={t('card_link.label')} url={url} />
        <Text size="sm" mt="sm">
          {t('card_link.once')}
        </Text>
      </ModalDialog>
    )
  }
  return (
    <ActionDialog
      opened
      onClose={() => {
        // The dialog also closes when it is done. Then the link takes its place.
        if (!isMade.current) onClose()
      }}
      title={t('card_link.title')}
      confirmLabel={t('card_link.confirm')}
      effect={t(isRefused ? 'card_link.refused' : 'card_link.effect')}
      isDisabled={isRefused}
      disabledReason={t('card_link.refused')}
      run={async (quittance) => {
        const session = await quittance.portal.createSession({
          customer_uuid: uuid,
          flow: 'payment_method',
          ...(sends && { send: true }),
        })
        isMade.current = true
        return session
      }}
      onDone={(session) => {
        if (sends) notifications.show({ color: 'green', message: t('portal:link.sent') })
        setUrl(session.url)
      }}
    >
      {!isRefused && (
        <Checkbox
          label={t('portal:link.send')}
          checked={sends}
          onChange={({ currentTarget: { checked } }) => setSends(checked)}
        />
      )}
    </ActionDialog>
  )
}
