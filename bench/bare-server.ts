/** The limit of an order check: Fastify alone, with one prepared query. Arguments: the database URL and the port. */
import { fastify } from 'fastify'
import pg from 'pg'

const [url, port] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 8 })
const app = fastify()
app.post('/check', async (request, reply) => {
  const { order } = request.body as { order: { number: string } }
  const { rows } = await pool.query<{ body: string }>({
    name: 'check',
    text: 'select body from bench_replies where number = $1',
    values: [order.number],
  })
  return reply.type('application/json; charset=utf-8').send(rows[0]?.body)
})
app.get('/readyz', async () => ({}))
await app.listen({ port: Number(port), host: '127.0.0.1' })
