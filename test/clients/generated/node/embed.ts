// Embeds the text in TEXT with the client that @hey-api/openapi-ts has generated, and prints the vector.
import { client } from './client/client.gen.js';
import { createEmbeddings } from './client/sdk.gen.js';

const { BASE_URL: baseUrl = '', KEY: auth = '', TEXT: input = '' } = process.env;
client.setConfig({ baseUrl, auth });
const { data } = await createEmbeddings({ body: { input }, throwOnError: true });
console.log(JSON.stringify(data.data[0]?.embedding));
