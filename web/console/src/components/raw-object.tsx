import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { JsonView } from '#components/json-view.tsx'
import { Section } from '#components/section.tsx'

/** The object as the API returns it. */
export function RawObject({ value }: { readonly value: object }) {
  const { t } = useTranslation('components')
  const [isShown, setShown] = useState(false)
  return (
    <Section
      title={t('raw.title')}
      actions={
        <Button size="xs" variant="default" onClick={() => setShown(!isShown)} aria-expanded={isShown}>
          {t(isShown ? 'raw.hide' : 'raw.show')}
        </Button>
      }
    >
      {isShown ? (
        <JsonView value={value} label={t('raw.title')} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('raw.text')}
        </Text>
      )}
    </Section>
  )
}
