import { Link } from '@tanstack/react-router'
import type { ListDefinition } from '#components/list/list-types.ts'
import classes from './data-table.module.css'

interface PhoneRowProps<Row> {
  readonly list: ListDefinition<Row>
  readonly row: Row
  readonly link: string | undefined
  /** Whether the link is reached by Tab. It is not where the row itself is. */
  readonly isTabStop?: boolean
}

/** A row as two lines: what it is and how much, then the details. What needs the whole width is below, then what can be done. */
export function PhoneRow<Row>({ list, row, link, isTabStop = false }: PhoneRowProps<Row>) {
  const at = (place: string) =>
    list.columns
      .filter(({ phone }) => phone === place)
      .flatMap(({ id, cell, phoneCell = cell }) => {
        const shown = phoneCell(row)
        return shown === false ? [] : [<span key={id}>{shown}</span>]
      })
  const below = at('below')
  const actions = at('actions')
  return (
    <span className={classes.phoneRow}>
      <span>
        {link === undefined ? (
          <span className={classes.phoneTitle}>{at('title')}</span>
        ) : (
          <Link
            to={link}
            className={`${classes.link} ${classes.phoneTitle}`}
            {...(!isTabStop && { tabIndex: -1 })}
          >
            {at('title')}
          </Link>
        )}
        <span className={classes.phoneDetail}>{at('detail')}</span>
      </span>
      <span className={classes.phoneEnd}>
        <span>{at('end')}</span>
        <span className={classes.phoneDetail}>{at('end_detail')}</span>
      </span>
      {below.length > 0 && <span className={classes.phoneBelow}>{below}</span>}
      {actions.length > 0 && <span className={classes.phoneActions}>{actions}</span>}
    </span>
  )
}
