/// Lines of JSON that look at every turn of the reader.
enum JSONSeeds {
    static let all: [[UInt8]] = [
        #"{"receipt_data":"TQ==","device_id":" x ","Account_ID":12,"colour":[1,{"a":null}],"flag":true}"#,
        "\u{feff}{\"receipt-data\":\"\\u004dDE=\\n\",\"presented_at\":\"2025-04-30T02:30:31Z\",\"bundle_id\":null}\r\n",
        #"{"file":"./a.der","receipt_data":" ","product_id":"\ud83d\ude00\"\\\/\b\f\n\r\t"}"# + "\n\n \n{}",
        #"{"account_id":"é\u00e9","device_id":"1b671a64-40d5-491e-99b0-da01ff1f3341|02:00:00:00:00:00","a":-1.5e+3}"#,
        #"{"file":"x","a":[[[[[[[[[{"b":{"c":[0,0.1,1e9,false,"d"]}}]]]]]]]]],"app_version":"1.0"}"#,
    ].map { Array($0.utf8) }
}

/// Tables with quotes where they may stand and where they may not.
enum CSVSeeds {
    static let all: [[UInt8]] = [
        "receipt_data,device_id\nTQ==,x\n\"TQ==\",\"x\"\n",
        "\u{feff}device_id , \"receipt_data\",note\r\n\"a \"\"b\"\" c\",TQ==,\"one,\r\ntwo\"\r\n\r\nx,TQ,\r\n",
        "receipt_data,device_id,account_id\nTQ,\"a\"b,x\nTQ,,\nTQ,,\"x\nTQ,,\n", "receipt_data\r\rTQ\rTQ\r",
        "file,device_id\n./a.der,x\n../b,y\n/c,z\n,\nfile,device_id\na//b/./c,\"\"\n",
        "receipt_data,device_id,account_id\nTQ,,\"a\n\"\"b,c,d\"\"\ne,f,g\"\nTg,,\nTQ,\"\"\",\nTQ,\"a\" \"b,\n",
    ].map { Array($0.utf8) }
}

/// A policy that says all that a policy can say, and a job.
enum YAMLSeeds {
    static let all = """
        version: 1
        environments: [Production, "", Sandbox]
        apps:
          com.example.notes: {versions: ["1", '2.0'], products: {pro: {kind: auto-renewable, group: g, price: 4.99,
            currency: USD, period: month}}}
        rules: {shared-receipt: {severity: low, devices: 3}, expired-receipt: off}
        allow:
          - {subject: "account:u1", reason: |
              tests
            , until: 2026-12-31, rules: [shared-account]}
        inputs: [a, b]
        reports: [fraud=fraud-{date}.csv, "-"]
        as-of: 2026-06-30
        workers: 2
        memory: 500M
        roots: &a !!str root.cer
        """
}
