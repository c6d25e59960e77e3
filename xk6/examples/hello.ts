import { chat } from 'k6/x/weighbridge';

export default function hello() {
  const server = { url: __ENV['URL'] ?? 'http://127.0.0.1:8000/v1', model: __ENV['MODEL'] ?? 'm' };
  console.log(JSON.stringify(chat({ ...server, prompt: 'Hello', maxTokens: 64, stream: true })));
}
