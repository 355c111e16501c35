import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.errors.OpenAIServiceException;
import com.openai.models.embeddings.EmbeddingCreateParams;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs the cases of ../clients-checks.ts with clients for Java, and prints what a user of each gets. */
class Clients {
  interface Client {
    List<List<Float>> embed(String url, String key, List<String> texts, String wish);
  }

  static final String MODEL = System.getenv("MODEL");

  static List<List<Float>> official(String url, String key, List<String> texts, String wish) {
    var client = OpenAIOkHttpClient.builder().baseUrl(url).apiKey(key).build();
    var params = EmbeddingCreateParams.builder().model(MODEL).inputOfArrayOfStrings(texts);
    if (wish.equals("dimensions")) params.dimensions(64);
    if (wish.equals("strict")) params.putAdditionalBodyProperty("truncate", JsonValue.from(false));
    return client.embeddings().create(params.build()).data().stream().map(item -> item.embedding()).toList();
  }

  static List<List<Float>> langchain4j(String url, String key, List<String> texts, String wish) {
    var builder = OpenAiEmbeddingModel.builder().baseUrl(url).apiKey(key).modelName(MODEL);
    if (wish.equals("dimensions")) builder.dimensions(64);
    if (wish.equals("base64")) builder.encodingFormat("base64");
    if (wish.equals("strict")) builder.customParameters(Map.of("truncate", false));
    var segments = texts.stream().map(TextSegment::from).toList();
    return builder.build().embedAll(segments).content().stream().map(item -> item.vectorAsList()).toList();
  }

  static Map<String, ?> run(String name, Client client, JsonNode one) {
    var url = System.getenv("BASE_URL") + "/@" + name + ":" + one.get("name").asText() + "@/openai/v1";
    var vectors = new ArrayList<List<Float>>();
    try {
      for (var request : one.get("requests")) {
        var texts = new ArrayList<String>();
        for (var text : request) texts.add(text.asText().replace("CLIENT", name));
        vectors.addAll(client.embed(url, one.get("key").asText(), texts, one.path("wish").asText("")));
      }
      return Map.of("vectors", vectors);
    } catch (Exception error) {
      var seen = new LinkedHashMap<String, Object>();
      seen.put("type", error.getClass().getSimpleName());
      seen.put("status", statusOf(error));
      seen.put("message", String.valueOf(error.getMessage()));
      return Map.of("error", seen);
    }
  }

  static Integer statusOf(Throwable error) {
    if (error == null) return null;
    if (error instanceof OpenAIServiceException own) return own.statusCode();
    return error instanceof HttpException http ? (Integer) http.statusCode() : statusOf(error.getCause());
  }

  public static void main(String[] arguments) throws Exception {
    var mapper = new ObjectMapper();
    Map<String, Client> clients = Map.of("openai-java", Clients::official, "langchain4j-open-ai", Clients::langchain4j);
    var offered = Map.of(
        "openai-java", Set.of("", "dimensions", "strict"),
        "langchain4j-open-ai", Set.of("", "dimensions", "base64", "strict"));
    var results = new LinkedHashMap<String, Map<String, ?>>();
    clients.forEach((name, client) -> {
      var answers = new LinkedHashMap<String, Object>();
      try {
        for (var one : mapper.readTree(System.getenv("CASES")))
          if (offered.get(name).contains(one.path("wish").asText("")))
            answers.put(one.get("name").asText(), run(name, client, one));
      } catch (Exception error) {
        throw new RuntimeException(error);
      }
      results.put(name, answers);
    });
    System.out.println(mapper.writeValueAsString(results));
    System.exit(0);
  }
}
