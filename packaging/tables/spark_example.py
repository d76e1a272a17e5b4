#!/usr/bin/env python3
"""Counts the rows that `specbox export tables` wrote, with Spark (`pip install pyspark`; needs Java).

    spark_example.py FOLDER
"""

import sys

from pyspark.sql import SparkSession, functions

folder = sys.argv[1]
spark = SparkSession.builder.master("local[2]").appName("specbox").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
sections = spark.read.parquet(f"{folder}/sections.parquet")
longest = sections.groupBy("doc_number", "version").agg(
    functions.count("*").alias("sections"), functions.sum("token_count").alias("tokens")
)
longest.orderBy(functions.desc("tokens")).show(5)
names = spark.read.parquet(f"{folder}/names.parquet")
names.groupBy("kind").count().orderBy(functions.desc("count")).show(5)
spark.stop()
