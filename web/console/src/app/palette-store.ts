import { createSpotlight } from '@mantine/spotlight'

const [paletteStore, palette] = createSpotlight()

export { paletteStore }

export function openPalette(): void {
  palette.open()
}
