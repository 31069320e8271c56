/**
 * The limit of an order check: bare fastify that answers the same bytes from one prepared query, as a
 * process of its own. Arguments: the database's URL, the port.
 */
import { fastify } from 'fastify'
import pg from 'pg'

const [url, port] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 8 })
const app = fastify()
app.post('/check', async (request, reply) => {
  const { order } = request.body as { order: { number: string } }
  const { rows } = await pool.query<{ body: string }>({
    name: 'check',
    text: 'select body from bench_answers where number = $1',
    values: [order.number],
  })
  return reply.type('application/json; charset=utf-8').send(rows[0]?.body)
})
app.get('/readyz', async () => ({}))
await app.listen({ port: Number(port), host: '127.0.0.1' })
