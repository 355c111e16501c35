"""Serves S3 with moto on a free port of 127.0.0.1, until its standard input ends.

Writes one line to stdout: JSON with the address of a bucket, and the id and the secret of an access key that may only
write, read, delete and list objects. Signatures are checked with botocore.
"""

import json
import sys

import boto3
from moto.core import set_initial_no_auth_action_count
from moto.server import ThreadedMotoServer

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
address = f"http://{host}:{port}"


def client(service):
    return boto3.client(
        service,
        endpoint_url=address,
        region_name="eu-central-1",
        aws_access_key_id="root",
        aws_secret_access_key="root",
    )


bucket = "embedgate-files"
client("s3").create_bucket(
    Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"}
)
iam = client("iam")
iam.create_user(UserName="embedgate")
statement = {
    "Effect": "Allow",
    "Action": ["s3:PutObject", "s3:GetObject", "s3:DeleteObject", "s3:ListBucket"],
    "Resource": "arn:aws:s3:::*",
}
iam.put_user_policy(
    UserName="embedgate",
    PolicyName="files",
    PolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [statement]}),
)
key = iam.create_access_key(UserName="embedgate")["AccessKey"]


@set_initial_no_auth_action_count(0)
def serve():
    print(
        json.dumps(
            {
                "url": f"{address}/{bucket}",
                "accessKeyId": key["AccessKeyId"],
                "secretAccessKey": key["SecretAccessKey"],
            }
        ),
        flush=True,
    )
    sys.stdin.read()


serve()
server.stop()
