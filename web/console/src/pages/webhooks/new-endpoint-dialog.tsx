import { MultiSelect, TextInput } from '@mantine/core'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { EVENT_TYPES } from '#pages/events/event-types.ts'

interface NewEndpointDialogProps {
  readonly onClose: () => void
  readonly onSecret: (secret: string) => void
}

export function NewEndpointDialog({ onClose, onSecret }: NewEndpointDialogProps) {
  const { t } = useTranslation('webhooks')
  const { quittance } = useApi()
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState<string[]>([])
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('new.title')}
      confirmLabel={t('new.confirm')}
      isDisabled={!URL.canParse(url)}
      effect={t(types.length === 0 ? 'new.effect_all' : 'new.effect', { count: types.length })}
      run={({ idempotencyKey }) => {
        const chosen = EVENT_TYPES.filter((type) => types.includes(type)) as Schemas['WebhookEndpoint']['types']
        return quittance.webhookEndpoints.create(
          { url, ...(chosen.length > 0 && { types: chosen }) },
          { idempotencyKey },
        )
      }}
      onDone={({ secret }) => onSecret(secret)}
    >
      <TextInput
        label={t('column.url')}
        type="url"
        placeholder="https://shop.example.com/webhooks"
        required
        data-autofocus
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value.trim())}
      />
      <MultiSelect
        label={t('new.types')}
        description={t('new.types_hint')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('new.clear_types') }}
        data={[...EVENT_TYPES]}
        value={types}
        onChange={setTypes}
      />
    </ActionDialog>
  )
}
