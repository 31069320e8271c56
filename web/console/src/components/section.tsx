import { Group, Skeleton, Title } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { Placeholder } from '#components/parts.tsx'
import classes from './section.module.css'

interface SectionProps {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of a detail page. The rest of the page stays on the screen while this part loads its texts. */
export function Section({ title, actions, children }: SectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <Group justify="space-between" mb="xs" mih={30}>
        <Title order={2} miw={0}>
          {title}
        </Title>
        {actions}
      </Group>
      <Suspense
        fallback={
          <Placeholder>
            <Skeleton h={80} />
          </Placeholder>
        }
      >
        {children}
      </Suspense>
    </section>
  )
}

type Field = readonly [label: string, value: ReactNode] | false | undefined

/** Names and values. A field that is false or undefined is left out. */
export function Fields({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <dl className={classes.fields}>
      {fields.map(
        (field) =>
          field && (
            <div key={field[0]}>
              <dt>{field[0]}</dt>
              <dd>{field[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
