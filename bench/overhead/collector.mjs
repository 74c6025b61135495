// A collector that takes all that it is sent. It tells its port to its parent, and ends with it.
import { createServer } from "node:http";

const server = createServer((request, response) => request.resume().on("end", () => response.end()));
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit());
