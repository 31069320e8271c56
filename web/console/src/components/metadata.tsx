import { useTranslation } from 'react-i18next'
import { Fields, Section } from '#components/section.tsx'

/** The metadata of an object, if it has any. */
export function Metadata({
  value,
}: {
  readonly value: { readonly metadata?: Readonly<Record<string, string>> }
}) {
  const { t } = useTranslation('components')
  const entries = Object.entries(value.metadata ?? {})
  if (entries.length === 0) return null
  return (
    <Section title={t('metadata')}>
      <Fields fields={entries.map(([name, text]) => [name, text] as const)} />
    </Section>
  )
}
