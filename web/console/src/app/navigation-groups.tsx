import { NavLink } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type NavigationGroup, navigationOf } from '#app/navigation.ts'
import { useShell } from '#app/shell-context.ts'
import { useStored } from '#app/stored.ts'
import { IconChevronDown } from '#components/icons.tsx'
import classes from './navigation-groups.module.css'

type Folded = Readonly<Record<string, boolean>>

function isFoldedRecord(value: unknown): value is Folded {
  return typeof value === 'object' && value !== null
}

function isInside(path: string, to: string): boolean {
  return path === to || path.startsWith(`${to}/`)
}

/** The pages by subject. This browser keeps which groups were folded or opened; else that of the current page is open. */
export function NavigationGroups() {
  const { t } = useTranslation()
  const { api, session } = useShell()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [folded = {}, setFolded] = useStored('folded', isFoldedRecord)
  return navigationOf(api, session.user.operator).map(({ name, isFolded, entries }) => {
    const label = t(`navigation.group.${name}`)
    if (isFolded === null) {
      return (
        <div key={name} role="group" aria-label={label} className={classes.group}>
          <Entries entries={entries} />
        </div>
      )
    }
    const isOpen = !(folded[name] ?? (isFolded && !entries.some(({ to }) => isInside(path, to))))
    return (
      <details key={name} className={classes.group} open={isOpen}>
        <summary
          className={classes.heading}
          onClick={(event) => {
            // The browser would turn what React has just set.
            event.preventDefault()
            setFolded({ ...folded, [name]: isOpen })
          }}
        >
          {label}
          <IconChevronDown size={14} aria-hidden />
        </summary>
        <div role="group" aria-label={label}>
          <Entries entries={entries} />
        </div>
      </details>
    )
  })
}

function Entries({ entries }: Pick<NavigationGroup, 'entries'>) {
  const { t } = useTranslation()
  return entries.map(({ name, to, icon: Icon }) => (
    <NavLink
      key={name}
      renderRoot={(props) => (
        <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }} {...props} />
      )}
      label={t(`navigation.${name}`)}
      leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
      className={classes.link ?? ''}
    />
  ))
}
