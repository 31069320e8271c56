const FIELD =
  'input:enabled:not([type="hidden"], [type="radio"]:not(:checked)), textarea:enabled, select:enabled'

/** Marks the button that has the focus first in a dialog without fields. */
export const FIRST_BUTTON = { 'data-autofocus': true, 'data-first-button': true }

/**
 * The ref of what holds a dialog's fields and then its buttons: the first field has the focus first, instead of the button that closes
 * the dialog. A field that is marked `data-autofocus` comes before it.
 */
export function markFirstField(fields: HTMLElement | null): void {
  const marked = fields?.querySelector('[data-autofocus]:not([data-first-button])')
  if (marked === null) fields?.querySelector(FIELD)?.setAttribute('data-autofocus', '')
}
