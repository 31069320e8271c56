import { Anchor, Checkbox, Group, Select, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Customer } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalDialog } from '#components/modal-dialog.tsx'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { LinkToCopy } from '#components/link-to-copy.tsx'
import { Section } from '#components/section.tsx'

type Kind = 'link' | 'view'

interface Made {
  readonly kind: Kind
  readonly url: string
}

const SCOPE = 'customers:write'
const PAGES = ['overview', 'payment_method'] as const

/** The customer portal of one customer: a link for them, and what they see. */
export function PortalLink({ customer }: { readonly customer: Customer }) {
  const { t } = useTranslation('portal')
  const [asked, setAsked] = useState<Kind>()
  const [made, setMade] = useState<Made>()
  return (
    <Section title={t('title')}>
      <Text size="sm" c="dimmed" mb="xs">
        {t('link.text')}
      </Text>
      <Group gap="xs">
        <ActionButton scope={SCOPE} onClick={() => setAsked('link')}>
          {t('link.button')}
        </ActionButton>
        <ActionButton scope={SCOPE} onClick={() => setAsked('view')}>
          {t('view.button')}
        </ActionButton>
      </Group>
      {asked !== undefined && (
        <NewLink kind={asked} customer={customer} onClose={() => setAsked(undefined)} onMade={setMade} />
      )}
      {made !== undefined && <MadeLink {...made} onClose={() => setMade(undefined)} />}
    </Section>
  )
}

interface NewLinkProps {
  readonly kind: Kind
  readonly customer: Customer
  readonly onClose: () => void
  readonly onMade: (made: Made) => void
}

function NewLink({ kind, customer, onClose, onMade }: NewLinkProps) {
  const { t } = useTranslation('portal')
  const [page, setPage] = useState<(typeof PAGES)[number]>('overview')
  const [sends, setSends] = useState(false)
  const isView = kind === 'view'
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t(`${kind}.title`)}
      confirmLabel={t(`${kind}.confirm`)}
      effect={t(`${kind}.effect`)}
      run={(quittance) =>
        quittance.portal.createSession({
          customer_uuid: customer.uuid,
          ...(isView && { read_only: true }),
          ...(page === 'payment_method' && { flow: page }),
          ...(sends && { send: true }),
        })
      }
      onDone={({ url }) => {
        if (sends) notifications.show({ color: 'green', message: t('link.sent') })
        onMade({ kind, url })
      }}
    >
      {!isView && (
        <>
          <Select
            label={t('link.page')}
            allowDeselect={false}
            data={PAGES.map((value) => ({ value, label: t(`link.pages.${value}`) }))}
            value={page}
            onChange={(value) => value !== null && setPage(value)}
          />
          <Checkbox
            label={t('link.send')}
            checked={sends}
            onChange={({ currentTarget: { checked } }) => setSends(checked)}
          />
        </>
      )}
    </ActionDialog>
  )
}

interface MadeLinkProps extends Made {
  readonly onClose: () => void
}

function MadeLink({ kind, url, onClose }: MadeLinkProps) {
  const { t } = useTranslation(['portal', 'components'])
  return (
    <ModalDialog
      opened
      onClose={onClose}
      title={t(`${kind}.title`)}
      closeButtonProps={{ 'aria-label': t('components:dialog.close') }}
    >
      <Stack gap="md">
        <Text size="sm">{t(`${kind}.made`)}</Text>
        {kind === 'link' ? (
          <LinkToCopy label={t('link.button')} url={url} />
        ) : (
          <Anchor href={url} target="_blank" rel="noreferrer" onClick={onClose}>
            {t('view.open')}
          </Anchor>
        )}
      </Stack>
    </ModalDialog>
  )
}
