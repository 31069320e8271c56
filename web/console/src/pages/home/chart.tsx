import { Paper, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, type SVGProps, useId, useState } from 'react'
import { namedDays, ticksOf } from '#pages/home/chart-scale.ts'
import classes from './chart.module.css'

export const CHART_HEIGHT = 210
const AXIS_HEIGHT = 24
const LEGEND_HEIGHT = 30
/** Pixels above the highest line, for half of a number and for dots. */
const TOP = 8
const MAX_BAR_PX = 40
/** About the width of the name of a day. */
const NAME_PX = 44
/** Further right than this share of the chart, the figures of a day stand to the left of it. */
const LEFT_FROM = 0.5

interface ChartSeries {
  readonly name: string
  readonly color: string
  readonly values: readonly (number | null)[]
  /** What the tooltip says of each day. */
  readonly texts: readonly string[]
}

interface ChartProps {
  readonly kind: 'bar' | 'line' | 'area'
  readonly label: string
  readonly days: readonly string[]
  readonly series: readonly ChartSeries[]
  readonly tickText: (value: number) => string
  /** The end of the axis. Without it, the highest value decides. */
  readonly max?: number
}

/** A chart of days. The figures of a day are shown under the pointer, and by the arrow keys. */
export function Chart({ kind, label, days, series, tickText, max }: ChartProps) {
  const { ref, width } = useElementSize()
  const [shown, setShown] = useState<number>()
  const hasLegend = series.length > 1
  const height = CHART_HEIGHT - TOP - AXIS_HEIGHT - (hasLegend ? LEGEND_HEIGHT : 0)
  const ticks = ticksOf(max ?? Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0))))
  const scale: Scale = {
    height,
    band: width / days.length,
    x: (index) =>
      kind === 'bar' ? ((index + 0.5) * width) / days.length : (index * width) / Math.max(1, days.length - 1),
    y: (value) => height - (Math.max(0, value) / (ticks.at(-1) ?? 1)) * height,
  }
  const point = ({ nativeEvent: { offsetX } }: PointerEvent) => {
    const position = kind === 'bar' ? offsetX / scale.band - 0.5 : (offsetX / width) * (days.length - 1)
    setShown(Math.min(days.length - 1, Math.max(0, Math.round(position))))
  }
  const press = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') setShown(undefined)
    else if (key === 'ArrowLeft') setShown((index = days.length) => Math.max(0, index - 1))
    else if (key === 'ArrowRight') setShown((index = -1) => Math.min(days.length - 1, index + 1))
  }
  const bars = kind === 'bar'
  return (
    <div
      className={classes.chart}
      role="img"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={press}
      onBlur={() => setShown(undefined)}
    >
      <div className={classes.ticks} style={{ height, marginTop: TOP }}>
        {ticks.toReversed().map((tick) => (
          <span key={tick}>{tickText(tick)}</span>
        ))}
      </div>
      <div ref={ref} className={classes.plot} style={{ height: height + AXIS_HEIGHT, marginTop: TOP }}>
        {width > 0 && (
          <svg
            width={width}
            height={height + AXIS_HEIGHT}
            onPointerDown={point}
            onPointerMove={point}
            // A finger leaves when it is lifted. Its tooltip stays, so that it can be read.
            onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setShown(undefined)}
          >
            {/* Events have their position inside the element that they hit. */}
            <g pointerEvents="none">
              {ticks.map((tick) => (
                <line key={tick} className={classes.grid} x2={width} y1={scale.y(tick)} y2={scale.y(tick)} />
              ))}
              {shown !== undefined && bars && (
                <rect className={classes.band} x={shown * scale.band} width={scale.band} height={height} />
              )}
              {shown !== undefined && !bars && (
                <line className={classes.cursor} x1={scale.x(shown)} x2={scale.x(shown)} y2={height} />
              )}
              {series.map((each, index) =>
                bars ? (
                  <Bars key={each.name} series={each} place={index} of={series.length} scale={scale} />
                ) : (
                  <Line key={each.name} series={each} scale={scale} isArea={kind === 'area'} shown={shown} />
                ),
              )}
              {namedDays(days, scale.band).map((index) => (
                <text key={index} y={height + 17} {...nameAt(index, days.length, width, scale.x(index))}>
                  {days[index]}
                </text>
              ))}
            </g>
            <rect width={width} height={height + AXIS_HEIGHT} fill="transparent" />
          </svg>
        )}
        {shown !== undefined && (
          <Paper
            className={classes.tooltip ?? ''}
            withBorder
            shadow="sm"
            p="xs"
            fz="sm"
            style={
              scale.x(shown) > width * LEFT_FROM
                ? { right: width - scale.x(shown) + 12 }
                : { left: scale.x(shown) + 12 }
            }
          >
            <Text size="xs" c="dimmed">
              {days[shown]}
            </Text>
            {series.map(({ name, texts }) => (
              <div key={name}>
                {name}: {texts[shown]}
              </div>
            ))}
          </Paper>
        )}
      </div>
      {hasLegend && (
        <div className={classes.legend} style={{ height: LEGEND_HEIGHT }}>
          {series.map(({ name, color }) => (
            <span key={name}>
              <span className={classes.swatch} style={{ background: color }} />
              {name}
            </span>
          ))}
        </div>
      )}
    </div>
  )
}

interface Scale {
  readonly height: number
  /** Pixels for one day. */
  readonly band: number
  readonly x: (index: number) => number
  readonly y: (value: number) => number
}

/** Keeps the names of the first and the last day inside the chart. */
function nameAt(index: number, count: number, width: number, x: number): SVGProps<SVGTextElement> {
  if (x < NAME_PX / 2) return { x: 0, textAnchor: 'start' }
  if (index === count - 1 && width - x < NAME_PX / 2) return { x: width, textAnchor: 'end' }
  return { x, textAnchor: 'middle' }
}

interface BarsProps {
  readonly series: ChartSeries
  readonly place: number
  readonly of: number
  readonly scale: Scale
}

function Bars({ series: { values, color }, place, of, scale: { band, height, x, y } }: BarsProps) {
  const gap = Math.min(4, band * 0.08)
  const bar = Math.min(MAX_BAR_PX, (band * 0.8 - gap * (of - 1)) / of)
  const offset = place * (bar + gap) - (of * bar + (of - 1) * gap) / 2
  const bars = values.map((value, index) => {
    if (value === null || value <= 0) return ''
    return `M${x(index) + offset},${height}V${y(value)}h${bar}V${height}Z`
  })
  return <path d={bars.join('')} fill={color} />
}

interface LineProps {
  readonly series: ChartSeries
  readonly scale: Scale
  readonly isArea: boolean
  readonly shown: number | undefined
}

/** Days without a value are passed over. */
function Line({ series: { values, color }, scale: { height, x, y }, isArea, shown }: LineProps) {
  const gradient = useId()
  const points = values.flatMap((value, index) =>
    value === null ? [] : [{ index, left: x(index), top: y(value) }],
  )
  const line = points.map(({ left, top }) => `${left},${top}`).join('L')
  const [first, last] = [points[0], points.at(-1)]
  return (
    <>
      {isArea && first !== undefined && last !== undefined && (
        <>
          <linearGradient id={gradient} x1={0} x2={0} y1={0} y2={1}>
            <stop offset="0%" stopColor={color} stopOpacity={0.2} />
            <stop offset="100%" stopColor={color} stopOpacity={0.01} />
          </linearGradient>
          <path d={`M${first.left},${height}L${line}L${last.left},${height}Z`} fill={`url(#${gradient})`} />
        </>
      )}
      <path d={`M${line}`} fill="none" stroke={color} strokeWidth={2} strokeLinejoin="round" />
      {points
        .filter(({ index }) => !isArea || index === shown)
        .map(({ index, left, top }) => (
          <circle key={index} cx={left} cy={top} r={index === shown ? 5 : 3} fill={color} />
        ))}
    </>
  )
}
