import { Group, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { TextLink } from '#components/links.tsx'
import { Section } from '#components/section.tsx'
import { type RecipeName, RECIPES } from '#pages/sandbox/recipes.ts'

const NAMES = Object.keys(RECIPES) as RecipeName[]

/** Which scope makes the objects of an event. */
function scopeOf(name: RecipeName): string {
  if (name.startsWith('card')) return 'cards:write'
  if (name.startsWith('plan')) return 'recurring:write'
  return name.startsWith('payment_token') ? 'customers:write' : 'payments:write'
}

/** Events sent by hand: real ones, of real objects of the test environment. */
export function Triggers() {
  const { t } = useTranslation('sandbox')
  const [name, setName] = useState<RecipeName>('order.paid')
  const [isOpen, setOpen] = useState(false)
  const [reference, setReference] = useState('')
  const [made, setMade] = useState<string>()
  const open = () => {
    setReference(`sandbox-${crypto.randomUUID().slice(0, 8)}`)
    setOpen(true)
  }
  return (
    <Section
      title={t('trigger.title')}
      actions={
        <TextLink to="/deliveries" fz="sm">
          {t('trigger.redeliver')}
        </TextLink>
      }
    >
      <Text size="sm" c="dimmed" mb="xs">
        {t('trigger.text')}
      </Text>
      <Group align="flex-end" gap="xs">
        <Select
          label={t('trigger.event')}
          data={NAMES}
          value={name}
          searchable
          allowDeselect={false}
          onChange={(value) => setName(NAMES.find((one) => one === value) ?? name)}
        />
        <ActionButton scope={scopeOf(name)} onClick={open}>
          {t('trigger.button')}
        </ActionButton>
      </Group>
      {made !== undefined && (
        <Text size="sm" mt="xs" aria-live="polite">
          {t('trigger.made')}{' '}
          <TextLink to="/events" search={{ filter: `object_id = ${made}` }} fz="sm">
            {made}
          </TextLink>
        </Text>
      )}
      <ActionDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('trigger.confirm_title', { name })}
        confirmLabel={t('trigger.button')}
        doneMessage={t('trigger.done', { name })}
        effect={t('trigger.effect', { name })}
        run={(quittance) => RECIPES[name](quittance, reference)}
        onDone={setMade}
      />
    </Section>
  )
}
