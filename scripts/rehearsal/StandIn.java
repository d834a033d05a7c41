import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/// Stands in for the service that takes releases to the public Maven repository. It takes whatever is uploaded, says
/// that it was published, and keeps nothing. It prints its port and runs until it is ended.
public final class StandIn {
    private static final int CREATED = 201;
    private static final int OK = 200;

    private StandIn() {}

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/publisher/upload", exchange -> answer(exchange, CREATED, "rehearsal"));
        server.createContext(
                "/api/v1/publisher/status",
                exchange -> answer(
                        exchange,
                        OK,
                        "{\"deploymentId\":\"rehearsal\",\"deploymentName\":\"rehearsal\",\"deploymentState\":\"PUBLISHED\","
                                + "\"purls\":[],\"errors\":{}}"));
        server.start();
        System.out.println(server.getAddress().getPort());
    }

    private static void answer(HttpExchange exchange, int code, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
            exchange.getResponseHeaders().add("Content-Type", text.startsWith("{") ? "application/json" : "text/plain");
            exchange.sendResponseHeaders(code, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
