import com.google.gson.Gson;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.EmbeddingsApi;
import org.openapitools.client.model.EmbeddingsRequest;
import org.openapitools.client.model.EmbeddingsRequestInput;

/** Embeds the text in TEXT with the client that openapi-generator has generated, and prints the vector. */
public class Embed {
    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.setBasePath(System.getenv("BASE_URL"));
        client.setBearerToken(System.getenv("KEY"));
        var request = new EmbeddingsRequest().input(new EmbeddingsRequestInput(System.getenv("TEXT")));
        var response = new EmbeddingsApi(client).createEmbeddings(request, null, null, null, null, null);
        System.out.println(new Gson().toJson(response.getData().get(0).getEmbedding().getListBigDecimal()));
    }
}
